/**
 * The words of a question that are no names: its intents, ranking, limit and comparisons, and stop words. English and German.
 */
import { parseCount, foldText, type Word } from './words.js';

const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(foldText));

export const groupingWords = wordSet('by per each every across nach je pro jede jeder jedes jedem jeden');
export const interrogatives = wordSet('which what welche welcher welches welchem welchen who wer where wo');
export const allGroupsWords = wordSet(
  'all alle aller allen compare vergleiche vergleich comparison verschiedenen different',
);
const mostWords = wordSet(
  'expensive teuerste teuersten highest most largest biggest greatest maximum max longest slowest hochste hochsten hochster hochstes meiste meisten grosste grossten grosster grosstes langste langsten langsamste langsamsten maximal top',
);
const latestWords = wordSet('latest newest neueste neuesten neuester neuestes jungste jungsten');
const oldestWords = wordSet('oldest earliest alteste altesten altester altestes fruheste fruhesten');
const leastWords = wordSet(
  'cheapest billigste billigsten gunstigste gunstigsten lowest least smallest fewest minimum min shortest fastest niedrigste niedrigsten niedrigster niedrigstes geringste geringsten wenigste wenigsten kleinste kleinsten kurzeste kurzesten schnellste schnellsten bottom flop',
);
const bestWords = wordSet('best beste besten bester bestes');
const worstWords = wordSet('worst schlechteste schlechtesten schlechtester schlechtestes');
const leadingWords = wordSet('top bottom flop first ersten erste');

/** Words that stand around what is meant. */
const ignoredWords = wordSet(
  `
a an the of in to on at is are was were be been being do does did has have had having can could would will shall should may might i we you it
its our my me us your they them their this that these those there here and or with without from for as than then so if when how much many
what which who whose where why please show tell give list find get see look up know want need like let say said answer question about
only just also too still currently current now today overall total totals altogether sum figure figures value values number numbers kpi kpis
data result results table chart overview summary report each every all any some most more less least same other per by via into over out
compare compared comparison versus vs against between both development trend history stand stands come comes came go goes going make made
made happen happened happening average mean respectively broken down split grouped sorted ordered order ranking rank list listed name names
der die das den dem des ein eine einen einem einer eines ist sind war waren wird werden wurde wurden sein hat haben hatte hatten kann kannst
konnen konnte ich wir du ihr sie er es mir uns mich dich dir man mein meine unser unsere im in am an auf aus bei beim mit nach ohne pro und oder
uber unter um von vom vor zu zum zur fur als wie viel viele wieviel wieviele was welche welcher welches welchem welchen wer wo warum wann denn
doch mal nur auch noch schon jetzt aktuell aktuelle aktuellen derzeit heute insgesamt gesamt gesamte gesamten summe zahl zahlen kennzahl
kennzahlen wert werte bitte zeig zeige zeigen nenne nennen sag sage gib liste auflisten ubersicht tabelle bericht je jede jeder jedes jedem
jeden alle allen aller vergleich vergleiche vergleichen gegenuber verglichen zwischen sowie beide beiden entwicklung verlauf trend verhalt
hoch gross grosse grossen lang lange stark high low big long liegt lag steht sieht aussehen aus dort da dabei davon dazu bzw jeweils durchschnitt
durchschnittlich mittel im schnitt betragt belauft sich dies diese dieser dieses diesen diesem dann ab bis seit since until till before after
during gibt gab there gehabt hello hi hey hallo thanks thank danke ok okay well bad good gut schlecht haufig often oft percentage prozent percent eur euro
euros days tage tagen lost lose loses losing entfallen entfallt entsteht entstehen aufgeteilt gruppiert sortiert unterteilt gliedern mal
better worse besser schlechter getting improving improved gestiegen gesunken risen worden been previous prior up down so very sehr deal deals most meist perform performs performance entire whole yet ever month's account accounts ob ja nein yes together zusammen
erst erste ersten first last where wherever really exactly genau wirklich eigentlich overall
`.trim(),
);

/** What is done with things; it says something of a procedure and nothing of a figure. */
const commonVerbs = wordSet(`
meet meets met reach reaches reached hit erreicht erreichen erreichten verfehlt verfehlen bucht buchen gebucht posts post posted delivers deliver
delivered place places went goes going come comes came belong belongs belonged sit sits sitzen sitzt ging gingen gehen geht liegen lagen liegt wohnen wohnt live lives located exist exists vorhanden
deliver liefert stammen stammt kommen kommt entfallen entfallt got get gets work done gemacht getatigt tatigen offered happen occurred sagen sagt unterscheiden unterscheidet beliefern beliefert supply supplies liefern liefert geliefert ordered bestellt bestellen order buy
bought kaufen gekauft placed angelegt aufgegeben changed change andert geandert steigt gestiegen gesunken risen fallen rise fall sehen ansehen anzeigen
`);

export const isCommonVerb = ({ folded }: Word): boolean => commonVerbs.has(folded);

export const isIgnoredWord = ({ folded }: Word): boolean =>
  ignoredWords.has(folded) ||
  mostWords.has(folded) ||
  leastWords.has(folded) ||
  bestWords.has(folded) ||
  worstWords.has(folded) ||
  latestWords.has(folded) ||
  oldestWords.has(folded) ||
  groupingWords.has(folded);

export type Intent =
  | 'help'
  | 'act'
  | 'forecast'
  | 'procedure'
  | 'drivers'
  | 'since-when'
  | 'explain'
  | 'target'
  | 'count'
  | 'number-of'
  | 'average'
  | 'sum'
  | 'maximum'
  | 'minimum'
  | 'how-much'
  | 'median'
  | 'yes-or-no'
  | 'follow-up'
  | 'by-month'
  | 'by-year'
  | 'by-quarter'
  | 'by-week'
  | 'by-day'
  | 'share'
  | 'trend'
  | 'list'
  | 'there';

/** For small letters: to compile them for letters of both sizes held the event loop for 50 ms, twice. */
const intentPatterns: readonly (readonly [Intent, RegExp])[] = [
  [
    'help',
    /^\W*(?:hi|hello|hey|hallo|guten (?:tag|morgen|abend)|moin|servus|help|hilfe)\b[^?]{0,40}\W*$|what (?:can|could|do) you (?:answer|do|know|tell)|what can i ask|who are you|was kannst du|was wei(?:ß|ss)t du|wer bist du|was kann ich (?:dich )?fragen|welche fragen|wobei kannst du|womit kannst du|how can you help|which (?:kpis|figures|questions)\b.*\b(?:are there|know|have|answer)|welche kennzahlen\b.*\b(?:gibt|kennst|hast|beantwort)/u,
  ],
  [
    'act',
    /^\W*(?:please |bitte |can you |could you |kannst du )?(?:bitte )?(?:block|unblock|delete|remove|create|change|update|pay|send|approve|cancel|sperr\p{L}*|entsperr\p{L}*|lösch\p{L}*|loesch\p{L}*|änder\p{L}*|aender\p{L}*|bezahl\p{L}*|genehmig\p{L}*|stornier\p{L}*|schick\p{L}*|sende)\s+(?!value|rate|share|invoices? (?:value|by|per))/u,
  ],
  [
    'forecast',
    /\b(?:forecast|predict\p{L}*|prediction|will\b.*\bbe|next (?:week|month|quarter|year)|expected? to|prognos\p{L}*|vorhersag\p{L}*|nächste[nsr]? (?:woche|monat|quartal|jahr)|naechste[nsr]? (?:woche|monat|quartal|jahr)|in (?:zukunft|future)|wird\b.*\b(?:entwickeln|sein|betragen)\b)/u,
  ],
  [
    'procedure',
    /\bhow (?:do|can|should|must|would) (?:i|we|you|one)\b|\bhow to\b|\bhow (?:is|are|does|do)\b.*\b(?:done|handled|made|created|verified|checked|posted|approved|cleared|resolved|processed|paid|booked|managed|organi[sz]ed|entered|raised|received|blocked|released|work|works|run|performed|executed)\b|\bprocedures?\b|\binstructions? (?:for|on)\b|\bwho (?:is|are) (?:responsible|in charge|accountable|the owner)\b|\bwho (?:owns|answers for)\b|\bowners? of (?:the )?(?:process|procedure)\b|\bwem gehört\b|\bprozessverantwortlich\p{L}*|\bwho (?:approves|checks|posts|creates|verifies|may|does|handles)\b|\bwhere (?:is|do i find)\b.*\b(?:described|documented|procedure)\b|\bwie (?:läuft|laeuft|geht|gehe ich|macht man|mache ich|funktioniert|erfolgt)\b|\bwie (?:wird|werden|kann ich|kann man|lege ich|legt man|erfasse ich|buche ich|prüfe ich|pruefe ich|soll ich|muss ich)\b.*\b(?:ge\p{L}+t|ge\p{L}+en|\p{L}+iert|angelegt|erfasst|erstellt|bearbeitet|bezahlt|verbucht|an|erfassen|anlegen|buchen|prüfen|pruefen|freigeben|sperren|erstellen|klären|klaeren)\b|\bwie (?:lege|prüfe|pruefe|buche|erfasse|kläre|klaere|erstelle|sperre) ich\b|\bwer (?:ist|sind) (?:[\p{L}\d-]+ )*(?:verantwortlich|zuständig|zustaendig)|\bwer (?:genehmigt|prüft|prueft|bucht|erstellt|legt|darf|bearbeitet|gibt)\b|\b(?:verfahren|anleitung|arbeitsanweisung|vorgehen|prozessbeschreibung)\b|\bwo (?:ist|steht|finde ich)\b.*\b(?:beschrieben|dokumentiert|anleitung|prozess)\b|\bwas (?:muss|soll) ich\b.*\btun\b|\bprocess (?:for|of|to)\b|\bprozess (?:für|fuer|zum|zur|der|des)\b/u,
  ],
  [
    'drivers',
    /\bwhy\b|\bdriv(?:es?|ers?|ing|en)\b|\bcauses?\b|\breasons? (?:for|why|behind)\b|\bcontribut\p{L}+|\bwarum\b|\bweshalb\b|\bwieso\b|\bworan\b|\bwodurch\b|\btreib\p{L}*|\bkostentreiber\b|\bursachen?\b|\bgründe?\b|\bgruende?\b|\bbeitr[aä]g\p{L}*/u,
  ],
  ['since-when', /\bsince when\b|\bfrom when\b|\bseit wann\b|\bab wann\b/u],
  [
    'explain',
    /\bwhat does\b.*\bmean\b|\bdefin(?:e|ed|ition)\b|\bhow (?:is|are)\b.*\b(?:calculated|computed|measured)\b|\bwas (?:bedeutet|heißt|heisst)\b|\bwie (?:ist|wird|werden)\b.*\b(?:definiert|berechnet|gemessen)\b|\bmeaning of\b|\berklär\p{L}*|\bexplain\b/u,
  ],
  ['target', /\btargets?\b|\bgoals?\b|\bziel\p{L}*|\bsollwert\p{L}*|\bon track\b/u],
  ['sum', /\btotal\b|\bsum of\b|\bin total\b|\bsumme\b|\bgesamt\p{L}*|\binsgesamt\b|\baltogether\b/u],
  ['maximum', /\b(?:maximum|maximale\p{L}*)\b/u],
  ['minimum', /\b(?:minimum|minimale\p{L}*)\b/u],
  ['how-much', /\bhow much\b|\bwie ?viel\b(?! prozent)/u],
  ['number-of', /\bnumber of\b|\bcount of\b|\banzahl\b/u],
  ['count', /\bhow many\b|\bwie ?viele\b/u],
  [
    'average',
    /\baverage\b|\bmean\b|\bmedian\b|\bdurchschnittlich\p{L}*|\bdurchschnitt\b|\bmittelwert\b|\bim (?:schnitt|mittel)\b/u,
  ],
  ['median', /\bmedian\b|\bmittlerer wert\b/u],
  ['yes-or-no', /^\W*(?:is|are|was|were|does|do|did|has|have|ist|sind|war|waren|liegt|lag|hat|haben|wird)\b/u],
  [
    'follow-up',
    /^\W*(?:and|und|only|just|nur|what about|how about|was ist mit|wie ist es|wie sieht es|same|das ?gleiche|dasselbe|also|now|jetzt|nun|instead|stattdessen|but|aber|by|nach|per|je|pro|for|für|fuer|in|im|since|seit)\b/u,
  ],
  [
    'by-month',
    /\b(?:and|und|,) (?:by |nach |je |per )?(?:month|monat)\b|\b(?:by|per|each|every|nach|je|pro|jeden|which|in which|welche[nrms]?|the|der|over the) (?:calendar |best |worst )?(?:months?|monat\p{L}*)\b(?! before| earlier| of\b|\s+(?:davor|zuvor))|\bmonthly\b|\bmonatlich\p{L}*|\bmonatsverlauf\b|\bmonatsweise\b|\bover time\b|\btime ?line\b|\btrend\b|\bdevelop(?:ed|ment|s)?\b|\bentwickel\p{L}*|\bentwicklung\b|\bzeitverlauf\b|\bzeitlich\p{L}*|\bverlauf\b/u,
  ],
  [
    'by-year',
    /\b(?:and|und|,) (?:by |nach |je |per )?(?:years?|jahr)\b(?! before| earlier|\s+(?:davor|zuvor|old))|\b(?:by|per|each|every|nach|je|pro|jedes) (?:calendar )?(?:years?|jahr\p{L}*)\b|\b(?:yearly|annually)\b|jährlich\p{L}*|jaehrlich\p{L}*/u,
  ],
  [
    'by-quarter',
    /\b(?:and|und|,) (?:by |nach |je |per )?(?:quarters?|quartal)\b(?! before| earlier|\s+(?:davor|zuvor|old))|\b(?:by|per|each|every|nach|je|pro|jedes|which|in which|welche[nrms]?) (?:calendar )?(?:quarters?|quartal\p{L}*)\b|\bquarterly\b|\bquartalsweise\b/u,
  ],
  [
    'by-week',
    /\b(?:and|und|,) (?:by |nach |je |per )?(?:weeks?|woche)\b(?! before| earlier|\s+(?:davor|zuvor|old))|\b(?:by|per|each|every|nach|je|pro|jede|which|in which|welche[nrms]?) (?:calendar )?(?:weeks?|(?:kalender)?wochen?)\b|\bweekly\b|wöchentlich\p{L}*|woechentlich\p{L}*/u,
  ],
  [
    'by-day',
    /\b(?:and|und|,) (?:by |nach |je |per )?(?:days?|tag)\b(?! before| earlier|\s+(?:davor|zuvor|old))|\b(?:by|per|each|every|nach|je|pro|jeden|on which|an welchem) (?:calendar )?(?:days?|tag(?:en?)?)\b|\bdaily\b|täglich\p{L}*|taeglich\p{L}*/u,
  ],
  [
    'share',
    /\b(?:(?:what|which|the) )?(?:share|percentage|proportion|fraction|part) of\b|\bwhat per ?cent(?:age)? of\b|\bhow much of\b|\b(?:welcher|der|den|welchen) (?:prozentuale )?anteil\b|\banteil (?:der|des|von|an)\b|\bwie ?viel prozent\b/u,
  ],
  [
    'trend',
    /\b(?:better|worse|improv\p{L}+|deteriorat\p{L}+|worsen\p{L}*|besser|schlechter|verbesser\p{L}*|verschlechter\p{L}*|gestiegen|gesunken|steigt|sinkt|going (?:up|down)|rising|falling|increas\p{L}+|decreas\p{L}+|risen|fallen|grown|growing)\b/u,
  ],
  [
    'list',
    /^\W*(?:please |bitte |can you |could you |kannst du )?(?:list|show(?: me)?|give me|name|which|what are|zeige?(?: mir)?|liste|nenne(?: mir)?|welche[rsn]?|gib mir)\b/u,
  ],
  [
    'there',
    /\b(?:there|dort|da|davon|of (?:those|these|them)|among (?:those|these|them))\W*$|\b(?:dort|davon|of (?:those|these|them)|among (?:those|these|them))\b/u,
  ],
];

/** Where in the text each wish is said. */
export const findIntents = (text: string): ReadonlyMap<Intent, { readonly start: number; readonly end: number }> => {
  // The only capital letter whose small form is longer.
  const small = text.replaceAll('İ', 'I').toLowerCase();
  return new Map(
    intentPatterns.flatMap(([intent, form]) => {
      const match = form.exec(small);
      return match ? [[intent, { start: match.index, end: match.index + match[0].length }] as const] : [];
    }),
  );
};

export type Ranking = {
  readonly by: 'most' | 'least' | 'best' | 'worst' | 'newest' | 'oldest';
  readonly limit?: number | undefined;
  /** Places of words that said so. */
  readonly places: readonly number[];
};

/** Words that are something else, such as a part of a name, come with an empty `folded`. */
export const findRanking = (words: readonly Word[]): Ranking | undefined => {
  const place = words.findIndex(({ folded }) => rankOf(folded) !== undefined);
  const limitPlace = words.findIndex((word, at) => isLimit(words, at, word));
  const limit = limitPlace < 0 ? undefined : parseCount(words[limitPlace]?.folded ?? '');
  const rank = rankOf(words[place]?.folded ?? '');
  if (rank === undefined && limit === undefined) return undefined;
  const places = [place, limitPlace].filter((at) => at >= 0);
  return { by: rank ?? 'most', limit, places };
};

const rankOf = (folded: string): Ranking['by'] | undefined => {
  if (mostWords.has(folded)) return 'most';
  if (leastWords.has(folded)) return 'least';
  if (bestWords.has(folded)) return 'best';
  if (latestWords.has(folded)) return 'newest';
  if (oldestWords.has(folded)) return 'oldest';
  return worstWords.has(folded) ? 'worst' : undefined;
};

/** "The most orders" are counted; "the highest value" is not. */
const countingWords = wordSet('most fewest meiste meisten wenigste wenigsten');
export const isMostWord = ({ folded }: Word, next: Word | undefined): boolean =>
  countingWords.has(folded) && (next === undefined || !mostWords.has(next.folded));

export const isLimitWord = ({ folded }: Word): boolean => parseCount(folded) !== undefined;

const limitMax = 1_000;

const isLimit = (words: readonly Word[], at: number, { folded }: Word): boolean => {
  const count = parseCount(folded);
  if (count === undefined || count < 1 || count > limitMax || folded === 'eine') return false;
  const before = words[at - 1]?.folded ?? '';
  const behind = words[at + 1]?.folded ?? '';
  if (behind === 'month' || behind === 'months' || behind.startsWith('monat')) return false;
  return (
    leadingWords.has(before) ||
    interrogatives.has(before) ||
    rankOf(before) !== undefined ||
    rankOf(behind) !== undefined
  );
};

export type Comparison = {
  readonly comparator: '>' | '>=' | '<' | '<=';
  readonly value: number;
  readonly unit: 'percent' | 'money' | 'days' | 'none';
  readonly start: number;
  readonly end: number;
};

const comparatorWords: readonly (readonly [Comparison['comparator'], string])[] = [
  ['>=', 'at least|not less than|no less than|mindestens|>=|≥'],
  ['<=', 'at most|not more than|no more than|up to|höchstens|hoechstens|maximal|<=|≤'],
  [
    '>',
    'above|over|more than|greater than|higher than|larger than|exceeding|exceeds?|>|über|ueber|oberhalb von|mehr als|größer als|groesser als|höher als|hoeher als',
  ],
  [
    '<',
    'below|under|less than|lower than|smaller than|fewer than|<|unter|unterhalb von|weniger als|kleiner als|niedriger als',
  ],
];
const amountPattern =
  '(?<amount>\\d[\\d.,]*\\d|\\d)\\s*(?<factor>k\\b|tsd\\.?|thousand|tausend|m\\b|mio\\.?|millions?|millionen)?';
const unitWords = '(?<unit>%|percent|prozent|eur\\b|euros?\\b|€|days?|tagen?|tage)?';
const comparisonPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<word>${comparatorWords.map(([, words]) => words).join('|')})\\s*(?:of\\s+|von\\s+)?(?:€\\s*)?${amountPattern}\\s*${unitWords}`,
  'giu',
);

export const findComparisons = (text: string): readonly Comparison[] =>
  [...text.matchAll(comparisonPattern)].flatMap((match) => {
    const { word = '', amount: digits = '', factor = '', unit = '' } = match.groups ?? {};
    const comparator = comparatorWords.find(([, words]) => new RegExp(`^(?:${words})$`, 'iu').test(word))?.[0];
    const end = match.index + match[0].length;
    // A date or a number that goes on was not meant.
    if (!comparator || /^[-./]?\d/.test(text.slice(end))) return [];
    const value = parseLocalizedNumber(digits) * factorOf(factor);
    return [{ comparator, value, unit: unitOf(unit), start: match.index, end }];
  });

const factorOf = (word: string): number => (word === '' ? 1 : /^(?:k|t)/i.test(word) ? 1e3 : 1e6);

const unitOf = (word: string): Comparison['unit'] => {
  if (/^(?:%|p)/i.test(word)) return 'percent';
  if (/^(?:e|€)/i.test(word)) return 'money';
  return /^[dt]/i.test(word) ? 'days' : 'none';
};

/** `10,000.50`, `10.000,50`, `10.000` and `4,5`: three digits behind one kind of mark are thousands. */
export const parseLocalizedNumber = (digits: string): number => {
  const marks = digits.replace(/\d/g, '');
  const last = marks.at(-1);
  if (last === undefined) return Number(digits);
  const isGrouping = new Set(marks).size === 1 && (marks.length > 1 || /[.,]\d{3}$/.test(digits));
  if (isGrouping) return Number(digits.replace(/[.,]/g, ''));
  const place = digits.lastIndexOf(last);
  return Number(`${digits.slice(0, place).replace(/[.,]/g, '')}.${digits.slice(place + 1)}`);
};
