/** The test cases of OData's own grammar for options, keys, names and headers; `abnf-cases.ts` has the expressions. */
import type { SampleRecord } from './sample-types.js';
import type { AbnfCases } from './abnf-cases.js';

/** `select`, without its name. */
export const selectCases: AbnfCases = {
  read: ['Rating,ReleaseDate', '*'],
  refused: [],
  narrower: {
    related: [
      'Address/Street',
      'Address/Country',
      'Address/Model.AddressWithLocation',
      'Address/Model.AddressWithLocation/Location',
      'Address/AddressWithLocation/Location',
      'Address/@Core.Messages($top=5)',
    ],
    selectActions: [
      'Model.AddressWithLocation/Location',
      'AddressWithLocation/Location',
      'Model.PreferredSupplier/Name',
      'Model.ActionName,Model.MostPopularName,Model.*',
      'Model.ActionName,Model.MostPopularName(Location,Kind)',
      'ActionName,MostPopularName(Location,Kind)',
      'Namespace.PreferredSupplier/AccountRepresentative,Address/Street,Address/Namespace.AddressWithLocation/Location',
      'PreferredSupplier/AccountRepresentative,Address/Street,Address/AddressWithLocation/Location',
      'Address($select=Street,City,Namespace.AddressWithLocation/Location)',
      "Addresses($filter=startswith(City,'H');$top=5;$skip=0;$count=true;$orderby=$it;$search=blue;@c=15)",
      '@Core.Messages($top=5)',
      '@Measures.Currency,@Core.MayImplement($top=2)',
      "EmailAddresses($filter=endswith($this,'.com'))",
      "CompanyName($filter=endswith($this,'.com'))",
      "Addresses($filter=endswith($this/Street,'gasse'))",
      "Address($filter=endswith($this/Street,'gasse'))",
      "Addresses(@a=$this;$filter=endswith(@a/Street,'gasse'))",
    ],
  },
};

/** `expand`, without its name. */
export const expandCases: AbnfCases = {
  read: [
    'Items',
    'Customer,Items',
    'Category($select=Name)',
    'Customer,Items($expand=Product)',
    'Customer,Items(expand=Product)',
    'Items($count=true)',
  ],
  refused: [
    'Customer/$ref($levels=4)',
    'Customer/$ref($select=Name)',
    'Customer,Items/$ref($expand=Product)',
    'Items/$count($count=true)',
    'Category($levels=04)',
    'Manager($search=gr(een)',
  ],
  narrower: {
    annotations: ['@Namespace.EntityTerm', '@Namespace.EntityTerm($top=2)', '@Namespace.SomeTerm/Products($top=2)'],
    expansions: [
      'Items/$ref',
      'Customer/$ref,Items',
      'Customer($levels=4)',
      'Customer(levels=4)',
      'Customer,Items($expand=Product/$ref)',
      'Items/$count',
      "Items/$count($filter=Name eq 'Hugo')",
      "Items/$count(filter=Name eq 'Hugo')",
      'Items/$count($search=Hugo)',
      'Items/$count(search=Hugo)',
      'Items($select=Quantity;$expand=Product($select=Name,Price);@c=15)',
      'Address/Country',
      'Category($levels=4),Category($levels=max)',
      '*,*/$ref,*($levels=2),Category',
      'Address/*,Address/Address/*,Addresses/*,Address/Model.AddressWithLocation/*,Model.VipCustomer/Address/*',
      'Address/*/$ref,Address/*($levels=max)',
      '$value,Thumbnail',
      'Manager($search=(green))',
      "Manager($search='gr(een')",
      'Manager($search=a;b)',
      "Manager($search='a;b')",
      'Sales($compute=Amount mul Product/TaxRate as Tax)',
    ],
    steps: ['Addresses/Country'],
  },
};

/** `orderby`, without its name. */
export const orderbyCases: AbnfCases = {
  read: ['Products/$count', 'Name', 'Name\tasc', 'Name asc,Rating,ReleaseDate desc', 'Cost ge Revenue asc'],
  refused: [],
  narrower: {
    annotations: ['Price/@Measures.Currency', 'Price/@Measures.Currency#Reporting'],
    counts: ['Addresses/$count', 'Sizes/$count'],
  },
};

/** Whole `elementQueryOptions` of the options that are served. */
export const queryOptionCases: AbnfCases = {
  read: [
    '$top=2&$orderby=Name',
    '$OrderBy=Name',
    'OrderBy=Name',
    'select=Rating,ReleaseDate',
    '$top=5&$skip=10',
    'top=5&skip=10',
    '$count=true',
    'count=true',
    '$count=false',
    'expand=Items',
    'format=json',
    '$format=json',
    '$Format=atom',
    '$format=xml',
    '$format=JSON',
    '$format=Atom',
    '$format=XML',
    '',
  ],
  refused: ['$count', '$skiptoken=Not&this'],
  narrower: {
    formats: ['$format=text/html'],
    tokens: ['$skiptoken=Start@Next_Chunk:From?=Here!'],
  },
};

/** Keys of entity types with the fields and the key before them; parentheses included. */
export const keyCases: readonly (readonly [type: SampleRecord, cases: AbnfCases])[] = [
  [
    { fields: { ID: 'integer' }, key: ['ID'] },
    {
      read: ['(11)', '(ID=1)', '(1)'],
      refused: ['(ID=wrong)'],
      narrower: { aliases: ['(KeyAlias=1)', '(@key)', '(ID=@key)'] },
    },
  ],
  [
    { fields: { ID: 'string' }, key: ['ID'] },
    {
      read: [
        "('O''Neil')",
        "('Smartphone/Tablet')",
        "('Tablet')",
        "('7'''' Tablet')",
        "('Tablet/Slate')",
        "('Tablet (small)')",
        "('Tablet )small(')",
        "(ID='Sugar')",
        "('ALFKI')",
      ],
      refused: ["('O'Neil')"],
      narrower: {},
    },
  ],
  [
    { fields: { ID: 'integer', Size: 'integer' }, key: ['ID', 'Size'] },
    { read: ['(ID=1,Size=5)'], refused: [], narrower: {} },
  ],
  [
    { fields: { OrderID: 'integer', ItemID: 'string' }, key: ['OrderID', 'ItemID'] },
    { read: ["(OrderID=1,ItemID='a')"], refused: ["(OrderID=1;ItemID='a')"], narrower: {} },
  ],
  [
    { fields: { At: 'timestamp' }, key: ['At'] },
    { read: ['(2018-02-13T23:59:59Z)'], refused: [], narrower: {} },
  ],
  [
    { fields: { At: 'time' }, key: ['At'] },
    { read: ['(23:59:59)'], refused: [], narrower: {} },
  ],
];

/** `odataIdentifier`. */
export const identifierCases: AbnfCases = {
  read: ['TheQuickBrownFoxSays42', '__ID'],
  refused: ['0time', 'No.Dot'],
  narrower: {},
};

/** Values of `OData-MaxVersion`. */
export const maxVersionCases: AbnfCases = { read: ['4.0', '4.01', '06.2831852000'], refused: [], narrower: {} };

/** Values of `Prefer` and the size of pages that they ask for. */
export const pageSizePreferenceCases: readonly (readonly [prefer: string, size: number | undefined])[] = [
  ['odata.allow-entityreferences,odata.maxpagesize=20', 20],
  ['allow-entityreferences,maxpagesize=20', 20],
  ['odata.maxpagesize=50', 50],
  ['maxpagesize=50', 50],
  ['odata.maxpagesize=0', undefined],
  ['odata.maxpagesize=-1', undefined],
  ['odata.callback;url="please://call/me?back#here"', undefined],
  ['odata.continue-on-error', undefined],
  ['odata.include-annotations="Namespace.SomeTerm,Model.AnotherTerm,Namespace.*"', undefined],
  ['return=minimal', undefined],
  ['respond-async', undefined],
  ['wait = 0', undefined],
];
