import type { Language } from './language.js';

type PhraseSet = {
  readonly exactly: (text: string) => string;
  readonly is: (name: string, figure: string) => string;
  readonly by: (names: string, groups: string) => string;
  readonly first: (row: string, name: string, figure: string, rank: string) => string;
  readonly rank: Readonly<Record<'most' | 'least', string>>;
  readonly noRows: string;
  readonly refinedTo: (parts: string) => string;
  readonly from: (day: string) => string;
  readonly to: (day: string) => string;
  readonly during: (from: string, to: string) => string;
  readonly not: (values: string) => string;
  readonly shows: (shown: number, total: string) => string;
  readonly count: (total: string) => string;
  readonly aggregate: (name: 'sum' | 'avg' | 'min' | 'max' | 'median', field: string) => string;
  readonly quotient: (name: string, per: string) => string;
  readonly share: (part: string, whole: string, share: string) => string;
  readonly between: (one: string, other: string) => string;
  readonly better: string;
  readonly worse: string;
  readonly unchanged: string;
  readonly whichOne: string;
  readonly missing: string;
  readonly present: string;
  readonly nearest: (names: string) => string;
  readonly notOfRows: (what: string, home: string) => string;
  readonly noSize: (home: string) => string;
  readonly cannotShare: string;
  readonly searchIncomplete: string;
  readonly target: (name: string, target: string, isMet: boolean) => string;
  readonly noTarget: (name: string) => string;
  readonly missedBy: (rows: string) => string;
  readonly missedByNone: string;
  readonly threshold: (isSo: boolean, limit: string) => string;
  readonly since: (value: string, month: string, before: string, after: string) => string;
  readonly sinceBegin: (value: string, month: string, after: string) => string;
  readonly sinceNone: (name: string) => string;
  readonly sinceRule: (limit: string) => string;
  readonly points: string;
  readonly difference: (of: string, figure: string) => string;
  readonly drivers: (name: string, figure: string, isSum: boolean) => string;
  readonly driverColumns: readonly [string, string, string, string, string];
  readonly procedure: (query: string, released: boolean) => string;
  readonly noProcedure: (query: string) => string;
  readonly element: (name: string, type: string, state: string, address: string) => string;
  readonly responsible: string;
  readonly meaning: (name: string, meaning: string) => string;
  readonly noMeaning: (name: string) => string;
  readonly iAm: string;
  readonly iAnswer: (model: string) => string;
  readonly iAnswerFields: (fields: string) => string;
  readonly iAnswerFilters: (filters: string) => string;
  readonly iFindProcedures: string;
  readonly examples: string;
  readonly notUnderstood: string;
  readonly unknownNames: (words: string) => string;
  readonly noKpi: string;
  readonly noMonth: string;
  readonly noPeriod: string;
  readonly cannotGroup: string;
  readonly cannotCompare: string;
  readonly cannotAverage: string;
  readonly cannotAct: string;
  readonly cannotForecast: string;
  readonly tooLong: (characters: string) => string;
  readonly noTool: (tool: string) => string;
  readonly toolFailed: (message: string) => string;
  readonly nothingLoaded: string;
  readonly yes: string;
  readonly no: string;
  readonly none: string;
};

const functionTitles = {
  en: { sum: 'Total', avg: 'Average', min: 'Smallest', max: 'Largest', median: 'Median' },
  de: { sum: 'Summe', avg: 'Durchschnitt', min: 'Kleinster Wert', max: 'Größter Wert', median: 'Median' },
} as const;

const englishPhrases: PhraseSet = {
  exactly: (text) => `exactly ${text}`,
  is: (name, figure) => `${name}: ${figure}.`,
  by: (names, groups) => `${names} by ${groups}:`,
  first: (row, name, figure, rank) => `${row} has the ${rank} ${name}: ${figure}.`,
  rank: { most: 'highest', least: 'lowest' },
  noRows: 'There are no rows for this.',
  refinedTo: (parts) => `Only: ${parts}.`,
  from: (day) => `from ${day}`,
  to: (day) => `to ${day}`,
  during: (from, to) => `from ${from} to ${to}`,
  not: (values) => `not ${values}`,
  shows: (shown, total) => `These are ${shown} of ${total} rows.`,
  count: (total) => `${total} in all.`,
  aggregate: (name, field) =>
    name === 'sum' && /^total\b/i.test(field) ? field : `${functionTitles.en[name]} ${field.toLowerCase()}`,
  quotient: (name, per) => `${name} per ${per.toLowerCase()}`,
  share: (part, whole, share) => `The share is **${share}**: ${part} of ${whole}.`,
  between: (one, other) => `between ${one} and ${other}`,
  better: 'That is better.',
  worse: 'That is worse.',
  unchanged: 'That is the same.',
  whichOne: 'Which one do you mean?',
  missing: 'none',
  present: 'any',
  nearest: (names) => `I can tell: ${names}.`,
  notOfRows: (what, home) => `"${what}" is not known of ${home}, so I give no figure.`,
  noSize: (home) => `The model does not say by which number rows of ${home} are large, so I give no figure.`,
  cannotShare: 'I cannot tell what the part and what the whole is, so I give no figure.',
  searchIncomplete: 'I could not look through all values in time, so I give no figure; please ask again.',
  target: (name, target, isMet) => `The target of ${name} is ${target}: ${isMet ? 'met' : 'missed'}.`,
  noTarget: (name) => `${name} has no target.`,
  missedBy: (rows) => `The target is missed by ${rows}.`,
  missedByNone: 'No row misses the target.',
  threshold: (isSo, limit) => `${isSo ? 'Yes' : 'No'}: asked was ${limit}.`,
  since: (value, month, before, after) => `**${value}**, since **${month}**: ${after} from then on, ${before} before.`,
  sinceBegin: (value, month, after) => `**${value}**, since the first month of the data (${month}): ${after}.`,
  sinceNone: (name) => `None stands out: for no value ${name} has stayed far from the usual up to the last month.`,
  sinceRule: (limit) =>
    `"Late" or bad is what is worse than ${limit}, half way between the usual month (the median) and the worst one, in every month up to the last.`,
  points: 'percentage points',
  difference: (of, figure) => `The difference is ${figure} (${of}).`,
  drivers: (name, figure, isSum) =>
    `${name} is ${figure} overall. ${isSum ? 'These values have the largest parts of it' : 'These values move it most, measured by their difference to the whole times their share of the rows'}:`,
  driverColumns: ['Field', 'Value', 'Figure', 'Share of rows', 'Contribution'],
  procedure: (query, released) =>
    released
      ? `For "${query}" I found these, released ones first:`
      : `For "${query}" I found nothing that is released, only:`,
  noProcedure: (query) => `I found no procedure for "${query}" in the content repository.`,
  element: (name, type, state, address) => `**${name}** (${type}, ${state}): ${address}`,
  responsible: 'Who executes it stands in the element itself, at its address.',
  meaning: (name, meaning) => `**${name}**: ${meaning}`,
  noMeaning: (name) => `**${name}** has no description in the knowledge model.`,
  iAm: 'I am the builtin planner: rules without a language model, that answer questions about figures with the tools of this agent.',
  iAnswer: (model) => `I can tell these KPIs of ${model}:`,
  iAnswerFields: (fields) => `By, or only for values of: ${fields}; by month, and for periods.`,
  iAnswerFilters: (filters) => `With these filters: ${filters}.`,
  iFindProcedures: 'I find procedures when asked how something is done.',
  examples: 'For example: "{kpi} by {field}", "{kpi} by month", "What drives {kpi}?".',
  notUnderstood: 'I did not understand that.',
  unknownNames: (words) => `I did not find ${words} in the data, so I give no figure.`,
  noKpi: 'I found no KPI in the question, so I give no figure.',
  noMonth: 'This KPI belongs to no month, so I cannot say how it went over time.',
  noPeriod: 'This KPI belongs to no date, so I cannot look at a period.',
  cannotGroup: 'I cannot group this figure by that.',
  cannotCompare:
    'I can compare a KPI with a figure for the rows of a table or as a whole, but not choose rows by it here, so I give no figure.',
  cannotAverage: 'I tell KPIs as the model defines them, no average of a sum and no median, so I give no figure.',
  cannotAct: 'I only read; I change nothing and call no tool that does.',
  cannotForecast: 'I cannot look into the future; I only tell what is in the data.',
  tooLong: (characters) => `I read questions of at most ${characters} characters; please ask for one thing at a time.`,
  noTool: (tool) => `That needs a tool of the kind ${tool}, which this agent does not have.`,
  toolFailed: (message) => `The tool could not answer: ${message}`,
  nothingLoaded: 'I could not look at the data, so I give no figure.',
  yes: 'yes',
  no: 'no',
  none: '(none)',
};

const germanPhrases: PhraseSet = {
  exactly: (text) => `genau ${text}`,
  is: (name, figure) => `${name}: ${figure}.`,
  by: (names, groups) => `${names} nach ${groups}:`,
  first: (row, name, figure, rank) => `${row} hat den ${rank} Wert für ${name}: ${figure}.`,
  rank: { most: 'höchsten', least: 'niedrigsten' },
  noRows: 'Dafür gibt es keine Zeilen.',
  refinedTo: (parts) => `Nur: ${parts}.`,
  from: (day) => `ab ${day}`,
  to: (day) => `bis ${day}`,
  during: (from, to) => `von ${from} bis ${to}`,
  not: (values) => `nicht ${values}`,
  shows: (shown, total) => `Das sind ${shown} von ${total} Zeilen.`,
  count: (total) => `Insgesamt ${total}.`,
  aggregate: (name, field) => `${functionTitles.de[name]} ${field}`,
  quotient: (name, per) => `${name} je ${per}`,
  share: (part, whole, share) => `Der Anteil ist **${share}**: ${part} von ${whole}.`,
  between: (one, other) => `zwischen ${one} und ${other}`,
  better: 'Das ist besser.',
  worse: 'Das ist schlechter.',
  unchanged: 'Das ist gleich.',
  whichOne: 'Was ist gemeint?',
  missing: 'ohne',
  present: 'vorhanden',
  nearest: (names) => `Nennen kann ich: ${names}.`,
  notOfRows: (what, home) => `„${what}“ ist von ${home} nicht bekannt; ich nenne deshalb keine Zahl.`,
  noSize: (home) =>
    `Das Modell sagt nicht, nach welcher Zahl Zeilen von ${home} groß sind; ich nenne deshalb keine Zahl.`,
  cannotShare: 'Ich weiß nicht, was der Teil und was das Ganze ist, und nenne deshalb keine Zahl.',
  searchIncomplete:
    'Ich konnte nicht alle Werte rechtzeitig durchsehen und nenne deshalb keine Zahl; bitte noch einmal fragen.',
  target: (name, target, isMet) => `Das Ziel von ${name} ist ${target}: ${isMet ? 'erreicht' : 'verfehlt'}.`,
  noTarget: (name) => `${name} hat kein Ziel.`,
  missedBy: (rows) => `Das Ziel verfehlen ${rows}.`,
  missedByNone: 'Keine Zeile verfehlt das Ziel.',
  threshold: (isSo, limit) => `${isSo ? 'Ja' : 'Nein'}: gefragt war ${limit}.`,
  since: (value, month, before, after) => `**${value}**, seit **${month}**: seitdem ${after}, davor ${before}.`,
  sinceBegin: (value, month, after) => `**${value}**, seit dem ersten Monat der Daten (${month}): ${after}.`,
  sinceNone: (name) =>
    `Nichts fällt auf: für keinen Wert ist ${name} bis zum letzten Monat weit vom Üblichen geblieben.`,
  sinceRule: (limit) =>
    `Verspätet oder schlecht ist, was in jedem Monat bis zum letzten schlechter ist als ${limit}, die Mitte zwischen dem üblichen Monat (dem Median) und dem schlechtesten.`,
  points: 'Prozentpunkte',
  difference: (of, figure) => `Der Unterschied ist ${figure} (${of}).`,
  drivers: (name, figure, isSum) =>
    `${name} ist insgesamt ${figure}. ${isSum ? 'Diese Werte haben die größten Teile davon' : 'Diese Werte bewegen es am meisten, gemessen an ihrem Abstand zum Ganzen mal ihrem Anteil an den Zeilen'}:`,
  driverColumns: ['Feld', 'Wert', 'Kennzahl', 'Anteil der Zeilen', 'Beitrag'],
  procedure: (query, released) =>
    released
      ? `Zu „${query}“ habe ich gefunden, Freigegebenes zuerst:`
      : `Zu „${query}“ habe ich nichts Freigegebenes gefunden, nur:`,
  noProcedure: (query) => `Zu „${query}“ habe ich im Content-Repository kein Verfahren gefunden.`,
  element: englishPhrases.element,
  responsible: 'Wer es ausführt, steht beim Element selbst, unter seiner Adresse.',
  meaning: englishPhrases.meaning,
  noMeaning: (name) => `**${name}** hat im Wissensmodell keine Beschreibung.`,
  iAm: 'Ich bin der eingebaute Planer: Regeln ohne Sprachmodell, die Fragen nach Kennzahlen mit den Werkzeugen dieses Agenten beantworten.',
  iAnswer: (model) => `Diese Kennzahlen von ${model} kann ich nennen:`,
  iAnswerFields: (fields) => `Nach Werten oder nur für Werte von: ${fields}; nach Monaten und für Zeiträume.`,
  iAnswerFilters: (filters) => `Mit diesen Filtern: ${filters}.`,
  iFindProcedures: 'Verfahren finde ich, wenn gefragt wird, wie etwas läuft.',
  examples: 'Zum Beispiel: „{kpi} nach {field}“, „{kpi} pro Monat“, „Woran liegt {kpi}?“.',
  notUnderstood: 'Das habe ich nicht verstanden.',
  unknownNames: (words) => `Ich habe ${words} in den Daten nicht gefunden und nenne deshalb keine Zahl.`,
  noKpi: 'Ich habe in der Frage keine Kennzahl gefunden und nenne deshalb keine Zahl.',
  noMonth: 'Diese Kennzahl gehört zu keinem Monat; über die Zeit kann ich sie nicht nennen.',
  noPeriod: 'Diese Kennzahl gehört zu keinem Datum; auf einen Zeitraum kann ich sie nicht beschränken.',
  cannotGroup: 'Danach kann ich diese Kennzahl nicht gliedern.',
  cannotCompare:
    'Ich kann eine Kennzahl je Zeile einer Tabelle oder im Ganzen vergleichen, aber hier nicht danach auswählen, und nenne deshalb keine Zahl.',
  cannotAverage:
    'Ich nenne Kennzahlen, wie das Modell sie definiert, keinen Durchschnitt einer Summe und keinen Median, und deshalb keine Zahl.',
  cannotAct: 'Ich lese nur; ich ändere nichts und rufe kein Werkzeug auf, das etwas ändert.',
  cannotForecast: 'In die Zukunft kann ich nicht sehen; ich nenne nur, was in den Daten steht.',
  tooLong: (characters) => `Ich lese Fragen mit höchstens ${characters} Zeichen; bitte immer nur eines fragen.`,
  noTool: (tool) => `Dafür braucht es ein Werkzeug der Art ${tool}, das dieser Agent nicht hat.`,
  toolFailed: (message) => `Das Werkzeug konnte nicht antworten: ${message}`,
  nothingLoaded: 'Ich konnte die Daten nicht ansehen und nenne deshalb keine Zahl.',
  yes: 'ja',
  no: 'nein',
  none: '(ohne)',
};

export const phrases: Readonly<Record<Language, PhraseSet>> = { en: englishPhrases, de: germanPhrases };
