// Written by apps/e2e/src/openapi-examples.e2e-spec.ts with UPDATE_GOLDENS=1.
import type { OperationExample } from './openapi-parts.js';

export const examples: Readonly<Record<string, OperationExample>> = {
 "content.storages.listReadable": {
  "parameters": {
   "$page": 1,
   "$pageSize": 2,
   "api-version": "4.0"
  },
  "further": {},
  "answers": {
   "application/json": {
    "count": 1,
    "values": [
     {
      "collection": "meridian",
      "id": "p2p",
      "title": "Meridian Coatings, purchase to pay",
      "cultures": [
       1033,
       1031
      ],
      "defaultCulture": 1033,
      "info": "http://localhost:8080/meridian/p2p/_api/rest/info",
      "facets": [
       {
        "name": "processes",
        "displayNames": {
         "1031": "Prozesse",
         "1033": "Processes",
         "3082": "Procesos"
        },
        "views": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views"
       },
       {
        "name": "organization",
        "displayNames": {
         "1031": "Organisation",
         "1033": "Organization",
         "3082": "Organización"
        },
        "views": "http://localhost:8080/meridian/p2p/_api/rest/facets/organization/views"
       }
      ]
     }
    ]
   }
  }
 },
 "content.types.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\""
  },
  "further": {},
  "answers": {
   "application/json": {
    "count": 11,
    "values": [
     {
      "name": "processArea",
      "displayNames": {
       "1031": "Prozessbereich",
       "1033": "Process area",
       "3082": "Área de procesos"
      },
      "versioned": false,
      "attributes": [
       {
        "name": "name",
        "displayNames": {},
        "type": "string",
        "localised": true,
        "mandatory": true,
        "mandatoryCultures": [
         1033
        ],
        "isSystem": false
       },
       {
        "name": "description",
        "displayNames": {},
        "type": "string",
        "localised": true,
        "mandatory": false,
        "mandatoryCultures": [],
        "isSystem": false
       }
      ],
      "relations": [
       {
        "name": "owner",
        "displayNames": {
         "1031": "Verantwortlich",
         "1033": "Owner",
         "3082": "Responsable"
        },
        "to": [
         "user"
        ],
        "many": false,
        "isSystem": false
       },
       {
        "name": "qualityManager",
        "displayNames": {
         "1031": "Qualitätsmanager",
         "1033": "Quality manager",
         "3082": "Gestor de calidad"
        },
        "to": [
         "user"
        ],
        "many": false,
        "isSystem": false
       }
      ],
      "states": [
       "show",
       "hide"
      ],
      "transitions": [
       {
        "id": "ShowToHide",
        "from": "show",
        "to": "hide"
       },
       {
        "id": "HideToShow",
        "from": "hide",
        "to": "show"
       }
      ],
      "childTypes": [
       "processArea",
       "processGroup"
      ],
      "contentTypes": []
     },
     {
      "name": "processGroup",
      "displayNames": {
       "1031": "Prozessgruppe",
       "1033": "Process group",
       "3082": "Grupo de procesos"
      },
      "versioned": false,
      "attributes": [
       {
        "name": "name",
        "displayNames": {},
        "type": "string",
        "localised": true,
        "mandatory": true,
        "mandatoryCultures": [
         1033
        ],
        "isSystem": false
       },
       {
        "name": "description",
        "displayNames": {},
        "type": "string",
        "localised": true,
        "mandatory": false,
        "mandatoryCultures": [],
        "isSystem": false
       }
      ],
      "relations": [
       {
        "name": "owner",
        "displayNames": {
         "1031": "Verantwortlich",
         "1033": "Owner",
         "3082": "Responsable"
        },
        "to": [
         "user"
        ],
        "many": false,
        "isSystem": false
       },
       {
        "name": "qualityManager",
        "displayNames": {
         "1031": "Qualitätsmanager",
         "1033": "Quality manager",
         "3082": "Gestor de calidad"
        },
        "to": [
         "user"
        ],
        "many": false,
        "isSystem": false
       }
      ],
      "states": [
       "show",
       "hide"
      ],
      "transitions": [
       {
        "id": "ShowToHide",
        "from": "show",
        "to": "hide"
       },
       {
        "id": "HideToShow",
        "from": "hide",
        "to": "show"
       }
      ],
      "childTypes": [
       "process"
      ],
      "contentTypes": []
     }
    ]
   }
  }
 },
 "content.elements.search": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "$search": "invoice",
   "$facet": "processes",
   "$culture": 1033,
   "$page": 1,
   "$pageSize": 2,
   "api-version": "4.0"
  },
  "further": {},
  "answers": {
   "application/json": {
    "count": 2,
    "values": [
     {
      "facetName": "processes",
      "id": "832d59d2-d38a-8040-8b22-10dfcd85f79e",
      "type": "processGroup",
      "displayNames": {
       "1031": "Prozessgruppe",
       "1033": "Process group",
       "3082": "Grupo de procesos"
      },
      "state": "show",
      "name": {
       "1031": "Von der Rechnung zur Buchung",
       "1033": "Invoice to posting",
       "3082": "De la factura al asiento"
      },
      "rootPath": [
       {
        "id": "4aad9c0e-1ebb-8236-878b-cf8c284531e5",
        "type": "processArea",
        "name": {
         "1031": "Vom Bedarf bis zur Zahlung",
         "1033": "Purchase to pay",
         "3082": "De la compra al pago"
        }
       }
      ],
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/832d59d2-d38a-8040-8b22-10dfcd85f79e"
     },
     {
      "facetName": "processes",
      "id": "3d412189-a84e-892c-9a2a-368da7d29cb7",
      "versionId": "7011e069-a3a8-8d43-b1b1-7300beba0256",
      "type": "activity",
      "displayNames": {
       "1031": "Aktivität",
       "1033": "Activity",
       "3082": "Actividad"
      },
      "state": "released",
      "name": {
       "1031": "Rechnung buchen",
       "1033": "Post invoice",
       "3082": "Contabilizar la factura"
      },
      "rootPath": [
       {
        "id": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
        "type": "process",
        "name": {
         "1031": "Rechnungen prüfen",
         "1033": "Verify invoices",
         "3082": "Verificar facturas"
        }
       },
       {
        "id": "832d59d2-d38a-8040-8b22-10dfcd85f79e",
        "type": "processGroup",
        "name": {
         "1031": "Von der Rechnung zur Buchung",
         "1033": "Invoice to posting",
         "3082": "De la factura al asiento"
        }
       }
      ],
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/3d412189-a84e-892c-9a2a-368da7d29cb7"
     }
    ],
    "nextUri": "http://localhost:8080/meridian/p2p/_api/rest/search?$search=invoice&$facet=processes&$culture=1033&$pageSize=2&$page=2"
   }
  }
 },
 "content.facets.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "accept-language": "en"
  },
  "further": {},
  "answers": {
   "application/json": {
    "count": 8,
    "values": [
     {
      "name": "processes",
      "displayNames": {
       "1031": "Prozesse",
       "1033": "Processes",
       "3082": "Procesos"
      },
      "views": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views"
     },
     {
      "name": "organization",
      "displayNames": {
       "1031": "Organisation",
       "1033": "Organization",
       "3082": "Organización"
      },
      "views": "http://localhost:8080/meridian/p2p/_api/rest/facets/organization/views"
     }
    ]
   }
  }
 },
 "content.views.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "accept-language": "en"
  },
  "further": {},
  "answers": {
   "application/json": {
    "count": 6,
    "values": [
     {
      "name": "landscape",
      "displayNames": {
       "1031": "Prozesslandkarte",
       "1033": "Process landscape",
       "3082": "Mapa de procesos"
      },
      "elements": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/landscape/elements",
      "isHierarchical": true
     },
     {
      "name": "landscape",
      "displayNames": {
       "1031": "Prozesse als Liste",
       "1033": "Processes as a list",
       "3082": "Procesos en lista"
      },
      "elements": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/landscape/elements",
      "isHierarchical": false
     }
    ]
   }
  }
 },
 "content.elements.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "released-list",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "$expandRelated": [
    "owner"
   ],
   "$resources": [
    "attributes",
    "related"
   ],
   "$select": [
    "name",
    "owner"
   ],
   "$filter": "type -eq 'process' AND Contains(name, 'invoice')",
   "$page": 1,
   "$pageSize": 2
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.363Z",
   "$pageSelectionKey": "AAAAAAAAAAAAAAAA"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "elements": [
     {
      "facetName": "processes",
      "id": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "versionId": "1cb90e59-5f4e-881f-ba18-01f2d629fec4",
      "creationId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "type": "process",
      "state": "released",
      "attributes": {
       "name": {
        "1031": "Rechnungen prüfen",
        "1033": "Verify invoices",
        "3082": "Verificar facturas"
       }
      },
      "related": {
       "owner": [
        {
         "facetName": "users",
         "id": "c38e4993-30d7-8c21-ab71-750d7478829c",
         "creationId": "c38e4993-30d7-8c21-ab71-750d7478829c",
         "type": "user",
         "state": "show",
         "attributes": {
          "name": {
           "1031": "Lucía Navarro",
           "1033": "Lucía Navarro",
           "3082": "Lucía Navarro"
          }
         },
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c38e4993-30d7-8c21-ab71-750d7478829c"
        }
       ]
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/a2aa78b1-d83a-8151-b082-396aa5ed6600"
     }
    ]
   }
  }
 },
 "content.elements.read": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "$expandRelated": [
    "owner"
   ],
   "$resources": [
    "attributes",
    "related"
   ],
   "$select": [
    "name",
    "owner"
   ]
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.427Z"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "elements": [
     {
      "facetName": "processes",
      "id": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "versionId": "1cb90e59-5f4e-881f-ba18-01f2d629fec4",
      "creationId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "type": "process",
      "state": "released",
      "attributes": {
       "name": {
        "1031": "Rechnungen prüfen",
        "1033": "Verify invoices",
        "3082": "Verificar facturas"
       }
      },
      "related": {
       "owner": [
        {
         "facetName": "users",
         "id": "c38e4993-30d7-8c21-ab71-750d7478829c",
         "creationId": "c38e4993-30d7-8c21-ab71-750d7478829c",
         "type": "user",
         "state": "show",
         "attributes": {
          "name": {
           "1031": "Lucía Navarro",
           "1033": "Lucía Navarro",
           "3082": "Lucía Navarro"
          }
         },
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c38e4993-30d7-8c21-ab71-750d7478829c"
        }
       ]
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/a2aa78b1-d83a-8151-b082-396aa5ed6600"
     }
    ]
   }
  }
 },
 "content.reporting.facet": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "reporting",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "$expandRelated": [
    "owner"
   ],
   "$resources": [
    "attributes",
    "related"
   ],
   "$select": [
    "name",
    "owner"
   ],
   "$filter": "type -eq 'process' AND Contains(name, 'invoice')"
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.467Z"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "values": [
     {
      "facetName": "processes",
      "id": "4aad9c0e-1ebb-8236-878b-cf8c284531e5",
      "creationId": "4aad9c0e-1ebb-8236-878b-cf8c284531e5",
      "type": "processArea",
      "state": "show",
      "attributes": {
       "name": {
        "1031": "Vom Bedarf bis zur Zahlung",
        "1033": "Purchase to pay",
        "3082": "De la compra al pago"
       }
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/4aad9c0e-1ebb-8236-878b-cf8c284531e5"
     }
    ]
   }
  }
 },
 "content.reporting.element": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "viewId": "reporting",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "$expandRelated": [
    "owner"
   ],
   "$resources": [
    "attributes",
    "related"
   ],
   "$select": [
    "name",
    "owner"
   ],
   "$filter": "type -eq 'process'"
  },
  "further": {
   "asOf": "2026-11-23T10:07:11.959Z"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "values": [
     {
      "facetName": "processes",
      "id": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "versionId": "1cb90e59-5f4e-881f-ba18-01f2d629fec4",
      "creationId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "type": "process",
      "state": "released",
      "attributes": {
       "name": {
        "1031": "Rechnungen prüfen",
        "1033": "Verify invoices",
        "3082": "Verificar facturas"
       }
      },
      "related": {
       "owner": [
        {
         "facetName": "users",
         "id": "c38e4993-30d7-8c21-ab71-750d7478829c",
         "creationId": "c38e4993-30d7-8c21-ab71-750d7478829c",
         "type": "user",
         "state": "show",
         "attributes": {
          "name": {
           "1031": "Lucía Navarro",
           "1033": "Lucía Navarro",
           "3082": "Lucía Navarro"
          }
         },
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c38e4993-30d7-8c21-ab71-750d7478829c"
        }
       ]
      },
      "versions": [
       {
        "facetName": "processes",
        "id": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
        "versionId": "2569da13-8c1c-8d45-883e-647ad8465f7e",
        "creationId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
        "type": "process",
        "state": "expired",
        "attributes": {
         "name": {
          "1031": "Rechnungen kontrollieren",
          "1033": "Check invoices",
          "3082": "Revisar facturas"
         }
        },
        "related": {
         "owner": [
          {
           "facetName": "users",
           "id": "4825d6bb-ecec-84ad-8150-b2dde2d93d22",
           "creationId": "4825d6bb-ecec-84ad-8150-b2dde2d93d22",
           "type": "user",
           "state": "show",
           "attributes": {
            "name": {
             "1031": "Anna Berger",
             "1033": "Anna Berger",
             "3082": "Anna Berger"
            }
           },
           "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/4825d6bb-ecec-84ad-8150-b2dde2d93d22"
          }
         ]
        },
        "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/2569da13-8c1c-8d45-883e-647ad8465f7e"
       }
      ],
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/a2aa78b1-d83a-8151-b082-396aa5ed6600"
     }
    ]
   }
  }
 },
 "content.storages.describe": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "api-version": "1.0",
   "if-none-match": "\"0-0.0-0\""
  },
  "further": {},
  "answers": {
   "application/json": {
    "type": "IStorageContext",
    "tenant": "p2p",
    "title": "Meridian Coatings, purchase to pay",
    "apiUrl": "http://localhost:8080/meridian/p2p/_api/rest",
    "dataCultures": [
     1033,
     1031
    ],
    "defaultDataCulture": 1033,
    "mandatoryCultures": [
     1033
    ],
    "optionalCultures": [
     1031,
     3082
    ],
    "isValid": true,
    "timeZone": "UTC"
   }
  }
 },
 "content.elements.describe": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "1.0",
   "if-none-match": "\"0-0.0-0\"",
   "accept-language": "en"
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.531Z"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "values": [
     {
      "id": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "name": "Verify invoices",
      "elementTypeName": "process",
      "facetTypeName": "processes",
      "uid": "1cb90e59-5f4e-881f-ba18-01f2d629fec4",
      "rootPath": [
       "832d59d2-d38a-8040-8b22-10dfcd85f79e",
       "4aad9c0e-1ebb-8236-878b-cf8c284531e5"
      ],
      "permissions": [
       "read",
       "write"
      ],
      "hasEditPermission": true,
      "isCurrentInsertable": true,
      "isCurrentMovable": false,
      "isCurrentRemovable": false,
      "isCurrentCopyable": true,
      "isReadOnly": true,
      "hasDiagram": true
     }
    ]
   }
  }
 },
 "content.attributes.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "1.0",
   "if-none-match": "\"0-0.0-0\"",
   "$select": [
    "name",
    "critical"
   ],
   "$filter": "type -eq 'process'"
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.559Z"
  },
  "answers": {
   "application/json": {
    "count": 2,
    "values": {
     "name": {
      "1031": "Rechnungen prüfen",
      "1033": "Verify invoices",
      "3082": "Verificar facturas"
     },
     "critical": {
      "127": false
     }
    }
   }
  }
 },
 "content.attributes.read": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "1.0",
   "if-none-match": "\"0-0.0-0\"",
   "attributeName": "name"
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.589Z"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "values": {
     "name": {
      "1031": "Rechnungen prüfen",
      "1033": "Verify invoices",
      "3082": "Verificar facturas"
     }
    }
   }
  }
 },
 "content.relations.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "1.0",
   "if-none-match": "\"0-0.0-0\"",
   "$select": [
    "owner",
    "uses"
   ],
   "$expandRelated": [
    "owner"
   ],
   "$filter": "type -eq 'user'"
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.613Z"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "values": {
     "owner": [
      {
       "facetName": "users",
       "id": "c38e4993-30d7-8c21-ab71-750d7478829c",
       "creationId": "c38e4993-30d7-8c21-ab71-750d7478829c",
       "type": "user",
       "state": "show",
       "displayNames": {
        "1031": "Benutzer",
        "1033": "User",
        "3082": "Usuario"
       },
       "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c38e4993-30d7-8c21-ab71-750d7478829c"
      }
     ]
    }
   }
  }
 },
 "content.relations.read": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "1.0",
   "if-none-match": "\"0-0.0-0\"",
   "relationName": "owner",
   "$expandRelated": [
    "owner"
   ],
   "$filter": "type -eq 'user'",
   "$page": 1,
   "$pageSize": 2
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.639Z"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "values": {
     "owner": [
      {
       "facetName": "users",
       "id": "c38e4993-30d7-8c21-ab71-750d7478829c",
       "creationId": "c38e4993-30d7-8c21-ab71-750d7478829c",
       "type": "user",
       "state": "show",
       "displayNames": {
        "1031": "Benutzer",
        "1033": "User",
        "3082": "Usuario"
       },
       "attributes": {
        "name": {
         "1031": "Lucía Navarro",
         "1033": "Lucía Navarro",
         "3082": "Lucía Navarro"
        },
        "firstName": {
         "127": "Lucía"
        },
        "lastName": {
         "127": "Navarro"
        },
        "email": {
         "127": "lucia.navarro@meridian.example"
        },
        "active": {
         "127": true
        },
        "employedSince": {
         "127": "2006-03-01T00:00:00"
        },
        "createdOn": {
         "127": "2026-02-17T10:19:00"
        },
        "changedOn": {
         "127": "2026-05-31T17:26:00"
        },
        "state1": {
         "127": "show"
        },
        "gotoUrl": {
         "127": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c38e4993-30d7-8c21-ab71-750d7478829c"
        }
       },
       "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c38e4993-30d7-8c21-ab71-750d7478829c"
      }
     ]
    }
   }
  }
 },
 "content.children.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "$expandRelated": [
    "owner"
   ],
   "$resources": [
    "attributes",
    "related"
   ],
   "$select": [
    "name",
    "owner"
   ],
   "$filter": "type -eq 'activity'",
   "$page": 1,
   "$pageSize": 2
  },
  "further": {
   "asOf": "2026-11-23T10:10:17.777Z",
   "$pageSelectionKey": "AAAAAAAAAAEAAAAAAAAAAA"
  },
  "answers": {
   "application/json": {
    "count": 2,
    "nextUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/detail/elements/a2aa78b1-d83a-8151-b082-396aa5ed6600/children?$filter=type%20-eq%20'activity'&$expandRelated=owner&$resources=attributes%2Crelated&$select=name%2Cowner&$pageSize=2&$pageSelectionKey=AAAAAAAAAAEAAAAAAAAAAQ",
    "elements": [
     {
      "facetName": "processes",
      "id": "31ce0cf2-424c-8378-b5e2-67011f3f23f9",
      "versionId": "59306d6b-a744-892c-98f3-4c79d6dbf2d0",
      "creationId": "31ce0cf2-424c-8378-b5e2-67011f3f23f9",
      "type": "activity",
      "state": "requestToExpire",
      "attributes": {
       "name": {
        "1031": "Rechnung prüfen",
        "1033": "Check invoice",
        "3082": "Comprobar la factura"
       }
      },
      "related": {
       "owner": [
        {
         "facetName": "users",
         "id": "c38e4993-30d7-8c21-ab71-750d7478829c",
         "creationId": "c38e4993-30d7-8c21-ab71-750d7478829c",
         "type": "user",
         "state": "show",
         "attributes": {
          "name": {
           "1031": "Lucía Navarro",
           "1033": "Lucía Navarro",
           "3082": "Lucía Navarro"
          }
         },
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c38e4993-30d7-8c21-ab71-750d7478829c"
        }
       ]
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/31ce0cf2-424c-8378-b5e2-67011f3f23f9"
     },
     {
      "facetName": "processes",
      "id": "ae3a3d33-7492-8f54-80c1-0dae5805a771",
      "versionId": "e2bc5219-eee3-8ba8-b91d-a05eb67c88ce",
      "creationId": "ae3a3d33-7492-8f54-80c1-0dae5805a771",
      "type": "activity",
      "state": "inProcess",
      "attributes": {
       "name": {
        "1031": "Rechnung abgleichen",
        "1033": "Match invoice",
        "3082": "Conciliar la factura"
       }
      },
      "related": {
       "owner": [
        {
         "facetName": "users",
         "id": "cd60bc61-5837-8e9d-aade-6127d63412c8",
         "creationId": "cd60bc61-5837-8e9d-aade-6127d63412c8",
         "type": "user",
         "state": "show",
         "attributes": {
          "name": {
           "1031": "Miriam Vogt",
           "1033": "Miriam Vogt",
           "3082": "Miriam Vogt"
          }
         },
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/cd60bc61-5837-8e9d-aade-6127d63412c8"
        }
       ]
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/ae3a3d33-7492-8f54-80c1-0dae5805a771"
     }
    ]
   }
  }
 },
 "content.content.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "$page": 1,
   "$pageSize": 1
  },
  "further": {
   "asOf": "2026-11-23T10:10:17.834Z"
  },
  "answers": {
   "application/json": {
    "count": 1,
    "nextUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/detail/elements/a2aa78b1-d83a-8151-b082-396aa5ed6600/content?$pageSize=1&$page=2",
    "elements": [
     {
      "facetName": "processes",
      "id": "3716be4f-3288-89a3-8e5d-68189d334cf8",
      "creationId": "e8df2027-cb0b-83cd-935e-ef754ee68e6f",
      "type": "lane",
      "state": "show",
      "displayNames": {
       "1031": "Bahn",
       "1033": "Lane",
       "3082": "Carril"
      },
      "attributes": {
       "x": {
        "127": 0
       },
       "y": {
        "127": 0
       },
       "width": {
        "127": 1080
       },
       "height": {
        "127": 200
       }
      },
      "related": {
       "represents": [
        {
         "facetName": "roles",
         "id": "208c2c46-d896-8ad2-a8b6-1ef11f0b776c",
         "creationId": "208c2c46-d896-8ad2-a8b6-1ef11f0b776c",
         "type": "role",
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/roles/views/detail/elements/208c2c46-d896-8ad2-a8b6-1ef11f0b776c"
        }
       ]
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/detail/elements/3716be4f-3288-89a3-8e5d-68189d334cf8"
     }
    ]
   }
  }
 },
 "content.versions.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "4.0",
   "if-none-match": "\"0-0.0-0\"",
   "$resources": [
    "attributes"
   ],
   "$select": [
    "name",
    "version"
   ]
  },
  "further": {
   "asOf": "2026-11-23T10:01:21.741Z"
  },
  "answers": {
   "application/json": {
    "count": 3,
    "elements": [
     {
      "facetName": "processes",
      "id": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "versionId": "2569da13-8c1c-8d45-883e-647ad8465f7e",
      "creationId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "type": "process",
      "state": "expired",
      "attributes": {
       "name": {
        "1031": "Rechnungen kontrollieren",
        "1033": "Check invoices",
        "3082": "Revisar facturas"
       },
       "version": {
        "127": "1.0"
       }
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/2569da13-8c1c-8d45-883e-647ad8465f7e"
     },
     {
      "facetName": "processes",
      "id": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "versionId": "1cb90e59-5f4e-881f-ba18-01f2d629fec4",
      "creationId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
      "type": "process",
      "state": "released",
      "attributes": {
       "name": {
        "1031": "Rechnungen prüfen",
        "1033": "Verify invoices",
        "3082": "Verificar facturas"
       },
       "version": {
        "127": "2.0"
       }
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/a2aa78b1-d83a-8151-b082-396aa5ed6600"
     }
    ]
   }
  }
 },
 "content.transitions.list": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "elementId": "a2aa78b1-d83a-8151-b082-396aa5ed6600",
   "api-version": "1.0"
  },
  "further": {},
  "answers": {
   "application/json": {
    "count": 1,
    "values": [
     {
      "transitionId": "ReleasedToRequestToExpire",
      "sourceState": "released",
      "targetState": "requestToExpire"
     }
    ]
   }
  }
 },
 "content.elements.write": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "match": "key",
   "api-version": "4.0",
   "idempotency-key": "de70bcd0-60b0-4df1-86e6-6eb13cf7c455",
   "if-match": "*"
  },
  "further": {},
  "body": {
   "elements": [
    {
     "id": "4aad9c0e-1ebb-8236-878b-cf8c284531e5",
     "attributes": {
      "description": {
       "1033": "From the need to the payment."
      }
     }
    },
    {
     "type": "process",
     "key": "report-emissions",
     "parentId": "4aad9c0e-1ebb-8236-878b-cf8c284531e5",
     "attributes": {
      "name": {
       "1031": "Emissionen berichten",
       "1033": "Report emissions"
      },
      "critical": true
     }
    }
   ]
  },
  "answers": {
   "application/json": {
    "count": 2,
    "elements": [
     {
      "facetName": "processes",
      "id": "4aad9c0e-1ebb-8236-878b-cf8c284531e5",
      "creationId": "4aad9c0e-1ebb-8236-878b-cf8c284531e5",
      "type": "processArea",
      "state": "show",
      "displayNames": {
       "1031": "Prozessbereich",
       "1033": "Process area",
       "3082": "Área de procesos"
      },
      "attributes": {
       "name": {
        "1031": "Vom Bedarf bis zur Zahlung",
        "1033": "Purchase to pay",
        "3082": "De la compra al pago"
       },
       "description": {
        "1033": "From the need to the payment."
       },
       "createdOn": {
        "127": "2022-10-18T11:17:00"
       },
       "changedOn": {
        "127": "2026-11-23T10:24:35.632"
       },
       "state1": {
        "127": "show"
       },
       "gotoUrl": {
        "127": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/detail/elements/4aad9c0e-1ebb-8236-878b-cf8c284531e5"
       }
      },
      "related": {
       "changedBy": []
      },
      "children": [
       {
        "facetName": "processes",
        "id": "b209e972-ad60-8ffa-be7e-2f0ce455686f",
        "creationId": "b209e972-ad60-8ffa-be7e-2f0ce455686f",
        "type": "processGroup",
        "state": "show",
        "displayNames": {
         "1031": "Prozessgruppe",
         "1033": "Process group",
         "3082": "Grupo de procesos"
        },
        "attributes": {
         "name": {
          "1031": "Von der Bestellung zum Wareneingang",
          "1033": "Order to receipt",
          "3082": "Del pedido a la recepción"
         },
         "description": {
          "1031": "Die Bestellung geht hinaus, die Ware kommt herein.",
          "1033": "The order goes out, the goods come in.",
          "3082": "Sale el pedido, entra la mercancía."
         },
         "createdOn": {
          "127": "2023-11-05T11:31:00"
         },
         "changedOn": {
          "127": "2026-05-01T16:38:00"
         },
         "state1": {
          "127": "show"
         },
         "gotoUrl": {
          "127": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/detail/elements/b209e972-ad60-8ffa-be7e-2f0ce455686f"
         }
        },
        "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/b209e972-ad60-8ffa-be7e-2f0ce455686f"
       }
      ],
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/4aad9c0e-1ebb-8236-878b-cf8c284531e5"
     }
    ]
   }
  }
 },
 "content.versions.create": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "elementId": "36350d90-5f76-8c50-b869-bdd4040c366a",
   "api-version": "4.0",
   "idempotency-key": "02e1d04b-d288-4c1e-a930-b9c109ab0cb8"
  },
  "further": {},
  "answers": {
   "application/json": {
    "count": 1,
    "elements": [
     {
      "facetName": "processes",
      "id": "36350d90-5f76-8c50-b869-bdd4040c366a",
      "versionId": "01a207df-b9f2-7592-8e31-1e6dee4c5de2",
      "creationId": "36350d90-5f76-8c50-b869-bdd4040c366a",
      "type": "process",
      "state": "inProcess",
      "displayNames": {
       "1031": "Prozess",
       "1033": "Process",
       "3082": "Proceso"
      },
      "attributes": {
       "name": {
        "1031": "Bestellung anlegen",
        "1033": "Create purchase order",
        "3082": "Crear pedido de compra"
       },
       "description": {
        "1031": "Macht aus einer freigegebenen Anforderung eine Bestellung bei einem zugelassenen Lieferanten.",
        "1033": "Turns an approved requisition into an order to a qualified supplier.",
        "3082": "Convierte una solicitud aprobada en un pedido a un proveedor homologado."
       },
       "validUntil": {
        "127": "9999-12-31T00:00:00"
       },
       "critical": {
        "127": false
       },
       "casesPerYear": {
        "127": 3760
       },
       "links": {
        "127": []
       },
       "createdOn": {
        "127": "2026-11-23T10:07:12.370"
       },
       "changedOn": {
        "127": "2026-11-23T10:07:12.370"
       },
       "state1": {
        "127": "inProcess"
       },
       "gotoUrl": {
        "127": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/detail/elements/01a207df-b9f2-7592-8e31-1e6dee4c5de2"
       },
       "version": {
        "127": "1.1"
       },
       "majorVersion": {
        "127": 1
       },
       "minorVersion": {
        "127": 1
       },
       "isReleased": {
        "127": false
       }
      },
      "related": {
       "owner": [],
       "qualityManager": [],
       "reviewer": [],
       "secondaryAuthors": [],
       "uses": [],
       "createdBy": [],
       "changedBy": [],
       "author": [],
       "releaseHistory": []
      },
      "children": [],
      "content": [],
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/01a207df-b9f2-7592-8e31-1e6dee4c5de2"
     }
    ],
    "values": [
     {
      "facetName": "processes",
      "id": "36350d90-5f76-8c50-b869-bdd4040c366a",
      "versionId": "01a207df-b9f2-7592-8e31-1e6dee4c5de2",
      "creationId": "36350d90-5f76-8c50-b869-bdd4040c366a",
      "type": "process",
      "state": "inProcess",
      "displayNames": {
       "1031": "Prozess",
       "1033": "Process",
       "3082": "Proceso"
      },
      "attributes": {
       "name": {
        "1031": "Bestellung anlegen",
        "1033": "Create purchase order",
        "3082": "Crear pedido de compra"
       },
       "description": {
        "1031": "Macht aus einer freigegebenen Anforderung eine Bestellung bei einem zugelassenen Lieferanten.",
        "1033": "Turns an approved requisition into an order to a qualified supplier.",
        "3082": "Convierte una solicitud aprobada en un pedido a un proveedor homologado."
       },
       "validUntil": {
        "127": "9999-12-31T00:00:00"
       },
       "critical": {
        "127": false
       },
       "casesPerYear": {
        "127": 3760
       },
       "links": {
        "127": []
       },
       "createdOn": {
        "127": "2026-11-23T10:07:12.370"
       },
       "changedOn": {
        "127": "2026-11-23T10:07:12.370"
       },
       "state1": {
        "127": "inProcess"
       },
       "gotoUrl": {
        "127": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/detail/elements/01a207df-b9f2-7592-8e31-1e6dee4c5de2"
       },
       "version": {
        "127": "1.1"
       },
       "majorVersion": {
        "127": 1
       },
       "minorVersion": {
        "127": 1
       },
       "isReleased": {
        "127": false
       }
      },
      "related": {
       "owner": [],
       "qualityManager": [],
       "reviewer": [],
       "secondaryAuthors": [],
       "uses": [],
       "createdBy": [],
       "changedBy": [],
       "author": [],
       "releaseHistory": []
      },
      "children": [],
      "content": [],
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/01a207df-b9f2-7592-8e31-1e6dee4c5de2"
     }
    ]
   }
  }
 },
 "content.elements.delete": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "facetId": "processes",
   "viewId": "detail",
   "elementId": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
   "api-version": "2.0",
   "idempotency-key": "5a63e104-be34-4c6d-8753-724bfe956d14"
  },
  "further": {},
  "answers": {
   "application/json": {
    "message": "The element was deleted.",
    "output": "Volatile",
    "type": "Success",
    "count": 1,
    "values": [
     {
      "facetName": "processes",
      "id": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
      "versionId": "202ce15f-098e-816f-9b12-7e01aff0fddb",
      "creationId": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
      "type": "process",
      "state": "inProcess",
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/921ebe97-3e46-8de5-a7e5-dd4bc1c4b351?asOf=2026-11-23T10:07:12.426"
     }
    ]
   }
  }
 },
 "content.bin.list": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "p2p",
   "pageSize": 10
  },
  "further": {
   "after": "2026-11-23T10:07:12.427Z~921ebe97-3e46-8de5-a7e5-dd4bc1c4b351"
  },
  "answers": {
   "application/json": {
    "deleted": [
     {
      "id": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
      "facet": "processes",
      "type": "process",
      "name": "Report emissions",
      "deletedAt": "2026-11-23T10:07:12.427Z",
      "deletedBy": "key:uDadhqgZRJ6w"
     }
    ]
   }
  }
 },
 "content.bin.restore": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "p2p",
   "id": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
   "idempotency-key": "631e9be3-5838-4b38-8f18-a5fff30397c9"
  },
  "further": {},
  "answers": {
   "application/json": {
    "id": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
    "facet": "processes",
    "type": "process"
   }
  }
 },
 "content.transitions.perform": {
  "parameters": {
   "collectionId": "meridian",
   "storageId": "p2p",
   "elementId": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
   "transitionId": "InProcessToInReview",
   "ignoreWarnings": true,
   "api-version": "4.0",
   "idempotency-key": "02431b89-2d20-432a-9e2a-07db08af9c5f"
  },
  "further": {},
  "answers": {
   "application/json": {
    "count": 1,
    "elements": [
     {
      "facetName": "processes",
      "id": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
      "versionId": "202ce15f-098e-816f-9b12-7e01aff0fddb",
      "creationId": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
      "type": "process",
      "state": "inReview",
      "displayNames": {
       "1031": "Prozess",
       "1033": "Process",
       "3082": "Proceso"
      },
      "attributes": {
       "name": {
        "1031": "Emissionen berichten",
        "1033": "Report emissions"
       },
       "critical": {
        "127": true
       },
       "createdOn": {
        "127": "2026-11-23T10:07:12.293"
       },
       "changedOn": {
        "127": "2026-11-23T10:07:12.500"
       },
       "state1": {
        "127": "inReview"
       },
       "gotoUrl": {
        "127": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/views/detail/elements/202ce15f-098e-816f-9b12-7e01aff0fddb"
       },
       "version": {
        "127": "0.1"
       },
       "majorVersion": {
        "127": 0
       },
       "minorVersion": {
        "127": 1
       },
       "isReleased": {
        "127": false
       }
      },
      "related": {
       "createdBy": [
        {
         "facetName": "users",
         "id": "c5c8fbe4-f663-8bc8-82e9-325de21a0f76",
         "creationId": "c5c8fbe4-f663-8bc8-82e9-325de21a0f76",
         "type": "user",
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c5c8fbe4-f663-8bc8-82e9-325de21a0f76"
        }
       ],
       "changedBy": [
        {
         "facetName": "users",
         "id": "c5c8fbe4-f663-8bc8-82e9-325de21a0f76",
         "creationId": "c5c8fbe4-f663-8bc8-82e9-325de21a0f76",
         "type": "user",
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c5c8fbe4-f663-8bc8-82e9-325de21a0f76"
        }
       ],
       "author": [
        {
         "facetName": "users",
         "id": "c5c8fbe4-f663-8bc8-82e9-325de21a0f76",
         "creationId": "c5c8fbe4-f663-8bc8-82e9-325de21a0f76",
         "type": "user",
         "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/users/views/detail/elements/c5c8fbe4-f663-8bc8-82e9-325de21a0f76"
        }
       ]
      },
      "expandUri": "http://localhost:8080/meridian/p2p/_api/rest/facets/processes/reporting/921ebe97-3e46-8de5-a7e5-dd4bc1c4b351"
     }
    ]
   }
  }
 },
 "content.bin.purge": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "p2p",
   "idempotency-key": "7e0a1439-70fc-40b9-9f5d-ac2b6c3e6405"
  },
  "further": {},
  "body": {
   "olderThanDays": 30
  },
  "answers": {
   "application/json": {
    "elements": 0,
    "versions": 0,
    "more": false
   }
  }
 },
 "content.storages.list": {
  "parameters": {
   "team": "meridian"
  },
  "further": {},
  "answers": {
   "application/json": {
    "storages": [
     {
      "collection": "meridian",
      "storage": "p2p",
      "title": "Meridian Coatings, purchase to pay",
      "elements": 65,
      "changedAt": "2026-11-23T10:03:25.028Z"
     }
    ]
   }
  }
 },
 "content.storages.definition": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "p2p"
  },
  "further": {},
  "answers": {
   "application/json": {
    "kind": "Storage",
    "collection": "meridian",
    "id": "p2p",
    "title": "Meridian Coatings, purchase to pay",
    "cultures": [
     1033
    ],
    "defaultCulture": 1033,
    "facets": [
     {
      "name": "processes",
      "displayNames": {
       "1031": "Prozesse",
       "1033": "Processes",
       "3082": "Procesos"
      },
      "views": [
       {
        "name": "landscape",
        "displayNames": {
         "1031": "Prozesslandkarte",
         "1033": "Process landscape",
         "3082": "Mapa de procesos"
        },
        "isHierarchical": true,
        "types": [
         "processArea"
        ]
       }
      ]
     }
    ],
    "types": [
     {
      "name": "processArea",
      "facet": "processes",
      "displayNames": {
       "1031": "Prozessbereich",
       "1033": "Process area",
       "3082": "Área de procesos"
      },
      "attributes": [
       {
        "name": "name",
        "localised": true,
        "mandatory": true,
        "mandatoryCultures": [
         1033
        ]
       }
      ],
      "states": [
       "show"
      ],
      "transitions": [
       {
        "from": "show",
        "to": "hide"
       }
      ],
      "childTypes": [
       "processArea"
      ]
     }
    ],
    "relations": [
     {
      "name": "owner",
      "displayNames": {
       "1031": "Verantwortlich",
       "1033": "Owner",
       "3082": "Responsable"
      },
      "to": [
       "user"
      ],
      "many": false
     }
    ],
    "userType": "user"
   }
  }
 },
 "content.elements.export": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "p2p"
  },
  "further": {},
  "answers": {
   "application/x-ndjson": "{\"id\":\"p2p\",\"type\":\"processArea\",\"attributes\":{\"name\":{\"1031\":\"Vom Bedarf bis zur Zahlung\",\"1033\":\"Purchase to pay\",\"3082\":\"De la compra al pago\"},\"description\":{\"1033\":\"From the need to the payment.\"},\"createdOn\":\"2022-10-18T11:17:00\"},\"relations\":{\"changedBy\":[\"key-kjSx9XeMl2cC.d175ba21f669e633\"]}}\n{\"id\":\"p2p.order-to-receipt\",\"type\":\"processGroup\",\"parent\":\"p2p\",\"attributes\":{\"name\":{\"1031\":\"Von der Bestellung zum Wareneingang\",\"1033\":\"Order to receipt\",\"3082\":\"Del pedido a la recepción\"},\"description\":{\"1031\":\"Die Bestellung geht hinaus, die Ware kommt herein.\",\"1033\":\"The order goes out, the goods come in.\",\"3082\":\"Sale el pedido, entra la mercancía.\"},\"createdOn\":\"2023-11-05T11:31:00\",\"changedOn\":\"2026-05-01T16:38:00\"}}\n{\"id\":\"p2p.order-to-receipt.create-order\",\"type\":\"process\",\"parent\":\"p2p.order-to-receipt\",\"versions\":[{\"version\":\"1.0\",\"state\":\"released\",\"attributes\":{\"name\":{\"1031\":\"Bestellung anlegen\",\"1033\":\"Create purchase order\",\"3082\":\"Crear pedido de compra\"},\"descriptio…"
  }
 },
 "content.changes.list": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "p2p",
   "elementId": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
   "order": "oldest",
   "pageSize": 2,
   "from": "2026-01-01T00:00:00Z",
   "to": "9999-12-31T00:00:00Z",
   "after": "0"
  },
  "further": {
   "versionId": "202ce15f-098e-816f-9b12-7e01aff0fddb",
   "subject": "key:uDadhqgZRJ6w"
  },
  "answers": {
   "application/json": {
    "changes": [
     {
      "sequence": "2",
      "operation": "content.elements.write",
      "subject": "key:uDadhqgZRJ6w",
      "changedAt": "2026-11-23T10:07:12.293Z",
      "requestId": "08bc243d-fbb9-41b3-bad6-21d15b3638fb",
      "entries": [
       {
        "action": "created",
        "detail": {
         "key": "report-emissions",
         "changed": [
          "name",
          "critical"
         ]
        },
        "elementId": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351",
        "versionId": "202ce15f-098e-816f-9b12-7e01aff0fddb"
       }
      ]
     },
     {
      "sequence": "4",
      "operation": "content.elements.delete",
      "subject": "key:uDadhqgZRJ6w",
      "changedAt": "2026-11-23T10:07:12.427Z",
      "requestId": "e99ba56b-6382-4807-9d38-df308880bd39",
      "entries": [
       {
        "action": "deleted",
        "detail": {
         "state": "inProcess",
         "version": "0.1"
        },
        "elementId": "921ebe97-3e46-8de5-a7e5-dd4bc1c4b351"
       }
      ]
     }
    ],
    "next": "4"
   }
  }
 },
 "content.imports.begin": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "handbook",
   "idempotency-key": "77070602-656d-4c38-9385-368b238ff4b4"
  },
  "further": {},
  "body": {
   "definition": {
    "kind": "Storage",
    "collection": "meridian",
    "id": "handbook",
    "title": "Handbook",
    "cultures": [
     1033
    ],
    "defaultCulture": 1033,
    "facets": [
     {
      "name": "documents",
      "displayNames": {
       "1033": "Documents"
      }
     }
    ],
    "types": [
     {
      "name": "page",
      "facet": "documents",
      "displayNames": {
       "1033": "Page"
      },
      "attributes": [
       {
        "name": "name",
        "localised": true,
        "mandatory": true
       }
      ]
     }
    ]
   }
  },
  "answers": {
   "application/json": {
    "importId": "01a207da-61ec-75e0-b43c-51638003bfea"
   }
  }
 },
 "content.imports.stage": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "handbook",
   "importId": "01a207da-61ec-75e0-b43c-51638003bfea",
   "idempotency-key": "9dc23623-5269-4342-a0ac-904707966eb5"
  },
  "further": {},
  "body": {
   "firstOrdinal": 0,
   "elements": [
    {
     "id": "page.welcome",
     "type": "page",
     "attributes": {
      "name": {
       "1033": "Welcome"
      }
     }
    }
   ]
  },
  "answers": {
   "application/json": {
    "staged": 1
   }
  }
 },
 "content.imports.read": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "handbook",
   "importId": "01a207da-61ec-75e0-b43c-51638003bfea"
  },
  "further": {},
  "answers": {
   "application/json": {
    "importId": "01a207da-61ec-75e0-b43c-51638003bfea",
    "state": "staged",
    "staged": 1
   }
  }
 },
 "content.imports.commit": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "handbook",
   "importId": "01a207da-61ec-75e0-b43c-51638003bfea",
   "idempotency-key": "84e1ca94-cd7a-4343-a41d-019166a48748"
  },
  "further": {},
  "body": {
   "overwrite": false
  },
  "answers": {
   "application/json": {
    "importId": "01a207da-61ec-75e0-b43c-51638003bfea",
    "state": "committed",
    "created": 1,
    "changed": 0,
    "unchanged": 0,
    "versions": 1
   }
  }
 },
 "content.imports.cancel": {
  "parameters": {
   "team": "meridian",
   "collection": "meridian",
   "storage": "handbook",
   "importId": "01a207da-62c3-757c-8869-d0827bed5295"
  },
  "further": {},
  "answers": {
   "application/json": {
    "cancelled": true
   }
  }
 },
 "knowledge.models.list": {
  "parameters": {
   "page": 0,
   "pageSize": 2,
   "sort": "name"
  },
  "further": {},
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 3,
    "sort": "name",
    "content": [
     {
      "id": "p2p.de-km",
      "name": "Einkauf bis Zahlung, Deutschland",
      "published": "2026-11-23 10:03:00"
     },
     {
      "id": "p2p.base-km",
      "name": "Purchase to pay",
      "published": "2026-11-23 10:03:00"
     }
    ]
   }
  }
 },
 "knowledge.models.read": {
  "parameters": {
   "km_id": "p2p.base-km"
  },
  "further": {},
  "answers": {
   "application/json": {
    "id": "p2p.base-km",
    "name": "Purchase to pay"
   }
  }
 },
 "knowledge.filters.list": {
  "parameters": {
   "km_id": "p2p.base-km",
   "page": 0,
   "pageSize": 2,
   "sort": "name"
  },
  "further": {},
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 4,
    "sort": "name",
    "content": [
     {
      "id": "BLOCKED_INVOICES",
      "name": "Blocked invoices",
      "description": "Invoices that may not be paid now."
     },
     {
      "id": "HIGH_VALUE",
      "name": "High value",
      "description": "Items from 10,000 EUR on."
     }
    ]
   }
  }
 },
 "knowledge.records.list": {
  "parameters": {
   "km_id": "p2p.base-km",
   "page": 0,
   "pageSize": 2,
   "sort": "name"
  },
  "further": {},
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 7,
    "sort": "name",
    "content": [
     {
      "id": "EVENT",
      "name": "Event",
      "description": "What happened to an order, in the order of time.",
      "shortDisplayName": "Event",
      "internalNote": ""
     },
     {
      "id": "GOODS_RECEIPT",
      "name": "Goods receipt",
      "description": "A delivery of an item.",
      "shortDisplayName": "Receipt",
      "internalNote": ""
     }
    ]
   }
  }
 },
 "knowledge.records.read": {
  "parameters": {
   "km_id": "p2p.base-km",
   "record_id": "PO_ITEM",
   "sort": "name"
  },
  "further": {},
  "answers": {
   "application/json": {
    "id": "PO_ITEM",
    "name": "Purchase order item",
    "description": "One line of a purchase order.",
    "shortDisplayName": "Item",
    "internalNote": "",
    "curated": true,
    "identifier": [
     "ORDER_NO"
    ],
    "fields": [
     {
      "id": "MAVERICK",
      "name": "Bought without requisition",
      "type": "boolean",
      "filterable": true,
      "sortable": true,
      "description": "Nobody had asked for it.",
      "shortDisplayName": "Bought without requisition",
      "internalNote": ""
     }
    ],
    "attributes": [
     {
      "id": "BUYER",
      "name": "Buyer",
      "type": "string",
      "filterable": true,
      "sortable": true,
      "description": "Who placed the order.",
      "shortDisplayName": "Buyer",
      "internalNote": ""
     }
    ],
    "augmentedAttributes": [
     {
      "id": "LEAD_DAYS",
      "name": "Lead time",
      "type": "integer",
      "unit": "days",
      "filterable": true,
      "sortable": true,
      "description": "Days from the order to the day that was asked for.",
      "shortDisplayName": "Lead time",
      "internalNote": ""
     }
    ],
    "flags": [
     {
      "id": "MAVERICK",
      "name": "Bought without requisition",
      "type": "boolean",
      "filterable": true,
      "sortable": true,
      "description": "Nobody had asked for it.",
      "shortDisplayName": "Bought without requisition",
      "internalNote": ""
     }
    ],
    "relationships": [
     {
      "record": "PURCHASE_ORDER",
      "cardinality": "many-to-one",
      "fields": [
       {
        "from": "ORDER_NO",
        "to": "ORDER_NO"
       }
      ]
     }
    ]
   }
  }
 },
 "knowledge.kpis.list": {
  "parameters": {
   "km_id": "p2p.base-km",
   "page": 0,
   "pageSize": 2,
   "sort": "name"
  },
  "further": {},
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 21,
    "sort": "name",
    "content": [
     {
      "id": "AUTOMATION_RATE",
      "name": "Automation",
      "description": "Events that a system did, of all events.",
      "format": ".1%",
      "direction": "Up",
      "parameters": [],
      "records": [
       "EVENT"
      ]
     },
     {
      "id": "CYCLE_TIME_DAYS",
      "name": "Cycle time",
      "description": "Days from the order to its completion, over completed orders.",
      "format": ".1f",
      "unit": "days",
      "direction": "Down",
      "target": "45",
      "parameters": [],
      "records": [
       "PURCHASE_ORDER"
      ]
     }
    ]
   }
  }
 },
 "knowledge.records.summary": {
  "parameters": {
   "km_id": "p2p.base-km",
   "record_id": "PO_ITEM",
   "filters": [
    "LAST_12_MONTHS"
   ],
   "filterExpr": [
    "COUNTRY eq 'DE' and ORDER_DATE ge 2026-01-01"
   ],
   "sampleSize": 1,
   "fields": [
    "PLANT",
    "NET_AMOUNT"
   ],
   "excludeFields": [
    "DESCRIPTION"
   ]
  },
  "further": {},
  "answers": {
   "application/json": {
    "content": {
     "headers": [
      {
       "id": "PLANT",
       "name": "Plant",
       "type": "string",
       "aggregation": false,
       "filterable": true,
       "sortable": true
      },
      {
       "id": "NET_AMOUNT",
       "name": "Net amount",
       "type": "float",
       "format": ",.2f",
       "unit": "EUR",
       "aggregation": false,
       "filterable": true,
       "sortable": true
      }
     ],
     "data": [
      {
       "PLANT": "1010",
       "NET_AMOUNT": 1.28
      }
     ]
    },
    "shape": [
     136,
     2
    ],
    "summary": {
     "PLANT": {
      "count": 136,
      "unique": 2,
      "top": "1010",
      "freq": "68"
     },
     "NET_AMOUNT": {
      "count": 136,
      "mean": 3282.703088235294,
      "std": 4885.975107834519,
      "min": 0.42,
      "max": 35404,
      "25_percentile": 349.3975,
      "50_percentile": 1777.11,
      "75_percentile": 4603.62
     }
    }
   }
  }
 },
 "knowledge.models.spec": {
  "parameters": {
   "km_id": "p2p.base-km",
   "curated": true,
   "accept": "application/json",
   "if-none-match": "W/\"before\""
  },
  "further": {},
  "answers": {
   "application/json": {
    "openapi": "3.0.3",
    "info": {
     "title": "Purchase to pay",
     "description": "What Meridian Coatings orders, receives, is invoiced for and pays.",
     "version": "1"
    },
    "servers": [
     {
      "url": "http://localhost:8080"
     }
    ],
    "tags": [
     {
      "name": "PURCHASE_ORDER"
     }
    ],
    "security": [
     {
      "bearer": []
     }
    ],
    "paths": {
     "/intelligence/api/knowledge-models/p2p.base-km/records/PURCHASE_ORDER/query": {
      "get": {
       "operationId": "queryPurchaseOrder"
      }
     },
     "/intelligence/api/knowledge-models/p2p.base-km/records/PO_ITEM/query": {
      "get": {
       "operationId": "queryPoItem"
      }
     },
     "/intelligence/api/knowledge-models/p2p.base-km/records/GOODS_RECEIPT/query": {
      "get": {
       "operationId": "queryGoodsReceipt"
      }
     },
     "/intelligence/api/knowledge-models/p2p.base-km/records/INVOICE/query": {
      "get": {
       "operationId": "queryInvoice"
      }
     },
     "/intelligence/api/knowledge-models/p2p.base-km/records/PAYMENT/query": {
      "get": {
       "operationId": "queryPayment"
      }
     },
     "/intelligence/api/knowledge-models/p2p.base-km/records/SUPPLIER/query": {
      "get": {
       "operationId": "querySupplier"
      }
     },
     "/intelligence/api/knowledge-models/p2p.base-km/query": {
      "get": {
       "operationId": "queryModel"
      }
     }
    },
    "components": {
     "headers": {
      "X-RateLimit-Limit": {
       "description": "Request limit per hour."
      }
     },
     "responses": {
      "BadRequest": {
       "description": "The request has a fault; `detail` says which and what is accepted."
      }
     },
     "securitySchemes": {
      "bearer": {
       "type": "http"
      }
     },
     "parameters": {
      "page": {
       "name": "page"
      }
     },
     "schemas": {
      "errorDTO": {
       "type": "object"
      }
     }
    }
   },
   "application/yaml": "openapi: \"3.0.3\"\ninfo:\n  title: Purchase to pay\n  description: What Meridian Coatings orders, receives, is invoiced for and pays.\n  version: \"1\"\nservers:\n  - url: \"http://localhost:8080\"\ntags:\n  - name: PURCHASE_ORDER\n    description: Purchase order\n  - name: PO_ITEM\n    description: Purchase order item\n  - name: GOODS_RECEIPT\n    description: Goods receipt\n  - name: INVOICE\n    description: Invoice\n  - name: PAYMENT\n    description: Payment\n  - name: SUPPLIER\n    description: Supplier\n  - name: Key figures\n    description: Purchase to pay\nsecurity:\n  - bearer: []\n  - appKey: []\npaths:\n  \"/intelligence/api/knowledge-models/p2p.base-km/records/PURCHASE_ORDER/query\":\n    get:\n      operationId: queryPurchaseOrder\n      tags:\n        - PURCHASE_ORDER\n      summary: \"Query: Purchase order\"\n      description: An order of one plant to one supplier.\n      parameters:\n        - name: fields\n          in: query\n          description: \"Ids of fields; at the level of the model `record.field`. Dat…"
  }
 },
 "knowledge.models.data": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "page": 0,
   "pageSize": 2,
   "prefer": "evidence",
   "fields": [
    "PURCHASE_ORDER.PLANT"
   ],
   "kpis": [
    "MAVERICK_RATE",
    "OPEN_PO_VALUE"
   ],
   "sort": "-OPEN_PO_VALUE",
   "options": [
    "distinct"
   ],
   "filters": [
    "LAST_12_MONTHS"
   ],
   "filterExpr": [
    "PURCHASE_ORDER.COUNTRY eq 'DE'"
   ],
   "searchTerm": "10",
   "searchPrecision": 100,
   "searchField": "PURCHASE_ORDER.PLANT"
  },
  "further": {},
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 2,
    "sort": [
     "-OPEN_PO_VALUE"
    ],
    "content": {
     "headers": [
      {
       "id": "PURCHASE_ORDER.PLANT",
       "name": "Plant",
       "type": "string",
       "aggregation": false,
       "filterable": true,
       "sortable": true
      },
      {
       "id": "MAVERICK_RATE",
       "name": "Maverick buying",
       "type": "float",
       "format": ".1%",
       "aggregation": true,
       "filterable": true,
       "sortable": true
      }
     ],
     "data": [
      {
       "PURCHASE_ORDER.PLANT": "1020",
       "MAVERICK_RATE": 0.013245033112582781,
       "OPEN_PO_VALUE": 49270.48
      },
      {
       "PURCHASE_ORDER.PLANT": "1010",
       "MAVERICK_RATE": 0.0189873417721519,
       "OPEN_PO_VALUE": 43014.37
      }
     ]
    }
   },
   "text/csv": "PURCHASE_ORDER.PLANT,MAVERICK_RATE,OPEN_PO_VALUE\r\n1020,0.01324503311258278146,49270.48\r\n1010,0.01898734177215189873,43014.37\r\n"
  }
 },
 "knowledge.models.queryData": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "prefer": "evidence"
  },
  "further": {},
  "body": {
   "projection": {
    "fields": "PURCHASE_ORDER.PLANT",
    "kpis": [
     "MAVERICK_RATE"
    ],
    "sort": "-MAVERICK_RATE",
    "pagination": {
     "pageNumber": 0,
     "pageSize": 2
    },
    "filters": {
     "filterExpr": [
      "PURCHASE_ORDER.COUNTRY eq 'DE'"
     ]
    }
   }
  },
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 2,
    "sort": [
     "-MAVERICK_RATE"
    ],
    "content": {
     "headers": [
      {
       "id": "PURCHASE_ORDER.PLANT",
       "name": "Plant",
       "type": "string",
       "aggregation": false,
       "filterable": true,
       "sortable": true
      },
      {
       "id": "MAVERICK_RATE",
       "name": "Maverick buying",
       "type": "float",
       "format": ".1%",
       "aggregation": true,
       "filterable": true,
       "sortable": true
      }
     ],
     "data": [
      {
       "PURCHASE_ORDER.PLANT": "1010",
       "MAVERICK_RATE": 0.015479876160990712
      },
      {
       "PURCHASE_ORDER.PLANT": "1020",
       "MAVERICK_RATE": 0.009933774834437087
      }
     ]
    }
   },
   "text/csv": "PURCHASE_ORDER.PLANT,MAVERICK_RATE\r\n1010,0.01547987616099071207\r\n1020,0.00993377483443708609\r\n"
  }
 },
 "knowledge.models.query": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "page": 0,
   "pageSize": 2,
   "prefer": "evidence",
   "fields": [
    "PURCHASE_ORDER.PLANT"
   ],
   "kpis": [
    "MAVERICK_RATE",
    "OPEN_PO_VALUE"
   ],
   "sort": "-OPEN_PO_VALUE",
   "options": [
    "distinct"
   ],
   "filters": [
    "LAST_12_MONTHS"
   ],
   "filterExpr": [
    "PURCHASE_ORDER.COUNTRY eq 'DE'"
   ],
   "searchTerm": "10",
   "searchPrecision": 100,
   "searchField": "PURCHASE_ORDER.PLANT"
  },
  "further": {},
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 2,
    "sort": [
     "-OPEN_PO_VALUE"
    ],
    "content": [
     {
      "PURCHASE_ORDER.PLANT": "1020",
      "MAVERICK_RATE": 0.013245033112582781,
      "OPEN_PO_VALUE": 49270.48
     },
     {
      "PURCHASE_ORDER.PLANT": "1010",
      "MAVERICK_RATE": 0.0189873417721519,
      "OPEN_PO_VALUE": 43014.37
     }
    ]
   },
   "text/csv": "PURCHASE_ORDER.PLANT,MAVERICK_RATE,OPEN_PO_VALUE\r\n1020,0.01324503311258278146,49270.48\r\n1010,0.01898734177215189873,43014.37\r\n"
  }
 },
 "knowledge.models.postQuery": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "prefer": "evidence"
  },
  "further": {},
  "body": {
   "projection": {
    "fields": "PURCHASE_ORDER.PLANT",
    "kpis": [
     "MAVERICK_RATE"
    ],
    "sort": "-MAVERICK_RATE",
    "pagination": {
     "pageNumber": 0,
     "pageSize": 2
    },
    "filters": {
     "filterExpr": [
      "PURCHASE_ORDER.COUNTRY eq 'DE'"
     ]
    }
   }
  },
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 2,
    "sort": [
     "-MAVERICK_RATE"
    ],
    "content": [
     {
      "PURCHASE_ORDER.PLANT": "1010",
      "MAVERICK_RATE": 0.015479876160990712
     },
     {
      "PURCHASE_ORDER.PLANT": "1020",
      "MAVERICK_RATE": 0.009933774834437087
     }
    ]
   },
   "text/csv": "PURCHASE_ORDER.PLANT,MAVERICK_RATE\r\n1010,0.01547987616099071207\r\n1020,0.00993377483443708609\r\n"
  }
 },
 "knowledge.records.data": {
  "parameters": {
   "km_id": "p2p.base-km",
   "record_id": "PO_ITEM",
   "$format": "json",
   "accept": "application/json",
   "page": 0,
   "pageSize": 2,
   "prefer": "evidence",
   "fields": [
    "ORDER_NO",
    "ITEM_NO",
    "DESCRIPTION",
    "NET_AMOUNT"
   ],
   "sort": "-NET_AMOUNT",
   "options": [
    "distinct"
   ],
   "filters": [
    "LAST_12_MONTHS"
   ],
   "filterExpr": [
    "COUNTRY eq 'DE' and ORDER_DATE ge 2026-01-01"
   ],
   "searchTerm": "a",
   "searchPrecision": 100,
   "searchField": "DESCRIPTION"
  },
  "further": {},
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 104,
    "sort": [
     "-NET_AMOUNT"
    ],
    "content": {
     "headers": [
      {
       "id": "ORDER_NO",
       "name": "Order",
       "type": "string",
       "aggregation": false,
       "filterable": true,
       "sortable": true
      },
      {
       "id": "ITEM_NO",
       "name": "Item",
       "type": "integer",
       "aggregation": false,
       "filterable": true,
       "sortable": true
      }
     ],
     "data": [
      {
       "ORDER_NO": "4500000271",
       "ITEM_NO": 40,
       "DESCRIPTION": "Titandioxid, Rutil",
       "NET_AMOUNT": 35404
      },
      {
       "ORDER_NO": "4500000258",
       "ITEM_NO": 10,
       "DESCRIPTION": "Titandioxid, Rutil",
       "NET_AMOUNT": 25670
      }
     ]
    }
   },
   "text/csv": "ORDER_NO,ITEM_NO,DESCRIPTION,NET_AMOUNT\r\n4500000271,40,\"Titandioxid, Rutil\",35404\r\n4500000258,10,\"Titandioxid, Rutil\",25670\r\n"
  }
 },
 "knowledge.records.queryData": {
  "parameters": {
   "km_id": "p2p.base-km",
   "record_id": "PO_ITEM",
   "$format": "json",
   "accept": "application/json",
   "prefer": "evidence"
  },
  "further": {},
  "body": {
   "projection": {
    "fields": "ORDER_NO,ITEM_NO,NET_AMOUNT",
    "sort": "-NET_AMOUNT",
    "pagination": {
     "pageNumber": 0,
     "pageSize": 2
    },
    "filters": {
     "kmFilterNames": [
      "LAST_12_MONTHS"
     ],
     "filterExpr": [
      "COUNTRY eq 'DE' and ORDER_DATE ge 2026-01-01"
     ]
    }
   }
  },
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 136,
    "sort": [
     "-NET_AMOUNT"
    ],
    "content": {
     "headers": [
      {
       "id": "ORDER_NO",
       "name": "Order",
       "type": "string",
       "aggregation": false,
       "filterable": true,
       "sortable": true
      },
      {
       "id": "ITEM_NO",
       "name": "Item",
       "type": "integer",
       "aggregation": false,
       "filterable": true,
       "sortable": true
      }
     ],
     "data": [
      {
       "ORDER_NO": "4500000271",
       "ITEM_NO": 40,
       "NET_AMOUNT": 35404
      },
      {
       "ORDER_NO": "4500000258",
       "ITEM_NO": 10,
       "NET_AMOUNT": 25670
      }
     ]
    }
   },
   "text/csv": "ORDER_NO,ITEM_NO,NET_AMOUNT\r\n4500000271,40,35404\r\n4500000258,10,25670\r\n"
  }
 },
 "knowledge.records.query": {
  "parameters": {
   "km_id": "p2p.base-km",
   "record_id": "PO_ITEM",
   "$format": "json",
   "accept": "application/json",
   "page": 0,
   "pageSize": 2,
   "prefer": "evidence",
   "fields": [
    "ORDER_NO",
    "ITEM_NO",
    "DESCRIPTION",
    "NET_AMOUNT"
   ],
   "sort": "-NET_AMOUNT",
   "options": [
    "distinct"
   ],
   "filters": [
    "LAST_12_MONTHS"
   ],
   "filterExpr": [
    "COUNTRY eq 'DE' and ORDER_DATE ge 2026-01-01"
   ],
   "searchTerm": "a",
   "searchPrecision": 100,
   "searchField": "DESCRIPTION"
  },
  "further": {},
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 104,
    "sort": [
     "-NET_AMOUNT"
    ],
    "content": [
     {
      "ORDER_NO": "4500000271",
      "ITEM_NO": 40,
      "DESCRIPTION": "Titandioxid, Rutil",
      "NET_AMOUNT": 35404
     },
     {
      "ORDER_NO": "4500000258",
      "ITEM_NO": 10,
      "DESCRIPTION": "Titandioxid, Rutil",
      "NET_AMOUNT": 25670
     }
    ]
   },
   "text/csv": "ORDER_NO,ITEM_NO,DESCRIPTION,NET_AMOUNT\r\n4500000271,40,\"Titandioxid, Rutil\",35404\r\n4500000258,10,\"Titandioxid, Rutil\",25670\r\n"
  }
 },
 "knowledge.records.postQuery": {
  "parameters": {
   "km_id": "p2p.base-km",
   "record_id": "PO_ITEM",
   "$format": "json",
   "accept": "application/json",
   "prefer": "evidence"
  },
  "further": {},
  "body": {
   "projection": {
    "fields": "ORDER_NO,ITEM_NO,NET_AMOUNT",
    "sort": "-NET_AMOUNT",
    "pagination": {
     "pageNumber": 0,
     "pageSize": 2
    },
    "filters": {
     "kmFilterNames": [
      "LAST_12_MONTHS"
     ],
     "filterExpr": [
      "COUNTRY eq 'DE' and ORDER_DATE ge 2026-01-01"
     ]
    }
   }
  },
  "answers": {
   "application/json": {
    "page": 0,
    "pageSize": 2,
    "total": 136,
    "sort": [
     "-NET_AMOUNT"
    ],
    "content": [
     {
      "ORDER_NO": "4500000271",
      "ITEM_NO": 40,
      "NET_AMOUNT": 35404
     },
     {
      "ORDER_NO": "4500000258",
      "ITEM_NO": 10,
      "NET_AMOUNT": 25670
     }
    ]
   },
   "text/csv": "ORDER_NO,ITEM_NO,NET_AMOUNT\r\n4500000271,40,35404\r\n4500000258,10,25670\r\n"
  }
 },
 "knowledge.queries.explainOwn": {
  "parameters": {
   "km_id": "p2p.base-km"
  },
  "further": {},
  "body": {
   "record": "PO_ITEM",
   "query": {
    "projection": {
     "fields": "ORDER_NO,ITEM_NO,NET_AMOUNT",
     "sort": "-NET_AMOUNT",
     "pagination": {
      "pageNumber": 0,
      "pageSize": 2
     },
     "filters": {
      "kmFilterNames": [
       "LAST_12_MONTHS"
      ],
      "filterExpr": [
       "COUNTRY eq 'DE' and ORDER_DATE ge 2026-01-01"
      ]
     }
    }
   }
  },
  "answers": {
   "application/json": {
    "words": "Order, Item, Net amount of Purchase order item, where Last twelve months and Country eq 'DE' and Order date ge 2026-01-01, sorted by Net amount (descending), rows 1 to 2",
    "grain": [
     "PO_ITEM"
    ],
    "plan": {
     "kind": "rows",
     "root": {
      "record": "PO_ITEM",
      "as": "PO_ITEM"
     },
     "joins": [
      {
       "record": "PURCHASE_ORDER",
       "as": "PURCHASE_ORDER",
       "to": "PO_ITEM",
       "on": [
        "PO_ITEM.ORDER_NO = PURCHASE_ORDER.ORDER_NO"
       ],
       "toMany": false,
       "optional": true
      }
     ],
     "where": [
      "PURCHASE_ORDER.ORDER_DATE ge ?",
      "PURCHASE_ORDER.ORDER_DATE le ?"
     ],
     "columns": [
      "ORDER_NO",
      "ITEM_NO"
     ],
     "distinct": false,
     "orderBy": [
      "NET_AMOUNT desc",
      "ORDER_NO desc"
     ]
    },
    "policies": []
   }
  }
 },
 "knowledge.evidence.read": {
  "parameters": {
   "evidence_id": "01a21e2f-37e8-7000-964c-4c54f4761ab9"
  },
  "further": {},
  "answers": {
   "application/json": {
    "statement": {
     "format": "tessera-evidence-1",
     "id": "01a21e2f-37e8-7000-964c-4c54f4761ab9",
     "installation": "http://localhost:8080",
     "team": "meridian",
     "askedAt": "2026-11-27T18:05:40.712Z",
     "askedBy": "key:kpFSMoZISiVt",
     "requestId": "4f824b7e-880b-4643-809e-4715c47267ab",
     "kind": "rows",
     "model": {
      "id": "p2p.base-km",
      "version": 1,
      "digests": [
       "44bac728f263f3dd612fbc14a1c5fceefba5fc3922c8fddbdded4f03738f3660"
      ]
     },
     "question": {
      "columns": [
       "PURCHASE_ORDER.PLANT",
       "MAVERICK_RATE"
      ],
      "filters": [
       "LAST_12_MONTHS"
      ],
      "conditions": [
       "PURCHASE_ORDER.COUNTRY eq 'DE'"
      ],
      "groupConditions": [],
      "sort": [
       "-OPEN_PO_VALUE"
      ],
      "distinct": true,
      "search": {
       "term": "10",
       "fields": [
        "PURCHASE_ORDER.PLANT"
       ],
       "precision": 100
      },
      "page": 0,
      "pageSize": 2
     },
     "data": [
      {
       "table": "po_item",
       "version": "1"
      },
      {
       "table": "purchase_order",
       "version": "1"
      }
     ],
     "policies": [],
     "resultDigest": "73341938ffa9d0bc5ba607fe69431338d095aa67b3cf5637fe60aa3aa5e2f0e3"
    },
    "result": {
     "salt": "6029601cecb750b862d66b733b2bfe44",
     "rows": 2,
     "rowsDigest": "05599e1055f676787a5da5d78403bb66e779fd3b90bf8a823dd35bbbdcde0e99"
    },
    "words": "Maverick buying, Open order value (EUR) by Plant, where Last twelve months and Country eq 'DE' and a text like \"10\", sorted by Open order value (descending), rows 1 to 2",
    "plan": {
     "kind": "groups",
     "by": [
      "PURCHASE_ORDER.PLANT"
     ],
     "kpis": [
      "MAVERICK_RATE",
      "OPEN_PO_VALUE"
     ],
     "grains": [
      {
       "root": {
        "record": "PO_ITEM",
        "as": "PO_ITEM"
       },
       "joins": [
        {
         "record": "PURCHASE_ORDER",
         "as": "PURCHASE_ORDER",
         "to": "PO_ITEM",
         "on": [
          "PO_ITEM.ORDER_NO = PURCHASE_ORDER.ORDER_NO"
         ],
         "toMany": false,
         "optional": true
        }
       ],
       "where": [
        "PURCHASE_ORDER.ORDER_DATE ge ?",
        "PURCHASE_ORDER.ORDER_DATE le ?"
       ],
       "aggregates": "2",
       "countsRowsOnce": false
      }
     ],
     "orderBy": [
      "OPEN_PO_VALUE desc",
      "PURCHASE_ORDER.PLANT desc"
     ]
    },
    "rows": [],
    "documents": []
   }
  }
 },
 "knowledge.evidence.replay": {
  "parameters": {
   "evidence_id": "01a21e2f-37e8-7000-964c-4c54f4761ab9"
  },
  "further": {},
  "answers": {
   "application/json": {
    "outcome": "same",
    "reasons": [],
    "before": {
     "salt": "6029601cecb750b862d66b733b2bfe44",
     "rows": 2,
     "rowsDigest": "05599e1055f676787a5da5d78403bb66e779fd3b90bf8a823dd35bbbdcde0e99"
    },
    "now": {
     "rows": 2,
     "rowsDigest": "05599e1055f676787a5da5d78403bb66e779fd3b90bf8a823dd35bbbdcde0e99"
    }
   }
  }
 },
 "gateway.evidence.export": {
  "parameters": {
   "evidence_id": "01a22210-e756-7000-bb02-ac6a2661cbd2"
  },
  "further": {},
  "answers": {
   "application/json": {
    "documents": [],
    "result": {
     "rows": 2,
     "rowsDigest": "05599e1055f676787a5da5d78403bb66e779fd3b90bf8a823dd35bbbdcde0e99",
     "salt": "9315bde2761e67a6bef53f6cac41e5a5"
    },
    "signature": {
     "algorithm": "Ed25519",
     "keyId": "2e2cd190-640f-4ed5-9b8a-b6885ce52354",
     "keys": "http://localhost:8080/.well-known/tessera-evidence-keys",
     "value": "fJSaUIY1M5Zptw9_xNffVBm_j6J2gYG885PoVdP7RsHbzsnmncgXsEp4cVeJns_M3NRzThzFTCSk7-Sv5bxvBQ"
    },
    "statement": {
     "askedAt": "2026-11-28T12:11:02.870Z",
     "askedBy": "key:BGke6t3S7dQJ",
     "data": [
      {
       "table": "po_item",
       "version": "1"
      },
      {
       "table": "purchase_order",
       "version": "1"
      }
     ],
     "format": "tessera-evidence-1",
     "id": "01a22210-e756-7000-bb02-ac6a2661cbd2",
     "installation": "http://localhost:8080",
     "kind": "rows",
     "model": {
      "digests": [
       "44bac728f263f3dd612fbc14a1c5fceefba5fc3922c8fddbdded4f03738f3660"
      ],
      "id": "p2p.base-km",
      "version": 1
     },
     "policies": [],
     "question": {
      "columns": [
       "PURCHASE_ORDER.PLANT",
       "MAVERICK_RATE"
      ],
      "conditions": [
       "PURCHASE_ORDER.COUNTRY eq 'DE'"
      ],
      "distinct": true,
      "filters": [
       "LAST_12_MONTHS"
      ],
      "groupConditions": [],
      "page": 0,
      "pageSize": 2,
      "search": {
       "fields": [
        "PURCHASE_ORDER.PLANT"
       ],
       "precision": 100,
       "term": "10"
      },
      "sort": [
       "-OPEN_PO_VALUE"
      ]
     },
     "requestId": "c567300a-b811-463b-9565-f7165d8c2127",
     "resultDigest": "98a9d9c3d7cd497730c407283b26f6ae5c42b289b61b641ad7c45aba00723764",
     "team": "meridian"
    },
    "words": "Maverick buying, Open order value (EUR) by Plant, where Last twelve months and Country eq 'DE' and a text like \"10\", sorted by Open order value (descending), rows 1 to 2"
   }
  }
 },
 "knowledge.odata.service": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "if-none-match": "W/\"before\""
  },
  "further": {},
  "answers": {
   "application/json": {
    "@odata.context": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata",
    "value": [
     {
      "name": "PURCHASE_ORDER_entries",
      "title": "Purchase order",
      "kind": "EntitySet",
      "url": "PURCHASE_ORDER_entries"
     },
     {
      "name": "PO_ITEM_entries",
      "title": "Purchase order item",
      "kind": "EntitySet",
      "url": "PO_ITEM_entries"
     }
    ]
   },
   "application/atomsvc+xml": "<?xml version=\"1.0\" encoding=\"UTF-8\"?><app:service xmlns:app=\"http://www.w3.org/2007/app\" xmlns:atom=\"http://www.w3.org/2005/Atom\" xmlns:metadata=\"http://docs.oasis-open.org/odata/ns/metadata\" xml:base=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/\" metadata:context=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata\"><app:workspace><atom:title type=\"text\">Purchase to pay</atom:title><app:collection href=\"PURCHASE_ORDER_entries\" metadata:name=\"PURCHASE_ORDER_entries\"><atom:title type=\"text\">Purchase order</atom:title></app:collection><app:collection href=\"PO_ITEM_entries\" metadata:name=\"PO_ITEM_entries\"><atom:title type=\"text\">Purchase order item</atom:title></app:collection><app:collection href=\"GOODS_RECEIPT_entries\" metadata:name=\"GOODS_RECEIPT_entries\"><atom:title type=\"text\">Goods receipt</atom:title></app:collection><app:collection href=\"INVOICE_entries\" metadata:name=\"INVOICE_entries\"><atom:title type=\"text\">Invoice</atom:title></app:collectio…"
  }
 },
 "gateway.odata.batch": {
  "parameters": {
   "km_id": "p2p.base-km",
   "prefer": "continue-on-error"
  },
  "further": {},
  "body": {
   "requests": [
    {
     "id": "1",
     "method": "get",
     "url": "PO_ITEM_entries?$filter=SUPPLIER/COUNTRY eq 'DE'&$select=ORDER_NO&$top=1"
    },
    {
     "id": "2",
     "method": "get",
     "url": "SUPPLIER_entries/$count",
     "dependsOn": [
      "1"
     ]
    }
   ]
  },
  "answers": {
   "application/json": {
    "responses": [
     {
      "id": "1",
      "status": 200,
      "headers": {
       "content-type": "application/json;odata.metadata=minimal;charset=utf-8",
       "x-request-id": "15d08517-ef82-4b6d-9ca5-83acf1ecc3d9",
       "cache-control": "private, no-store",
       "x-ratelimit-limit": "2000000000",
       "x-ratelimit-remaining": "1999999935",
       "x-ratelimit-reset": "2026-11-23T11:00:00Z",
       "odata-version": "4.01"
      },
      "body": {
       "@odata.context": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO)",
       "value": [
        {
         "@odata.id": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries(ORDER_NO='4500000017',ITEM_NO=10)",
         "ORDER_NO": "4500000017"
        }
       ]
      }
     },
     {
      "id": "2",
      "status": 200,
      "headers": {
       "content-type": "text/plain;charset=utf-8",
       "x-request-id": "15d08517-ef82-4b6d-9ca5-83acf1ecc3d9",
       "cache-control": "private, no-store",
       "x-ratelimit-limit": "2000000000",
       "x-ratelimit-remaining": "1999999934",
       "x-ratelimit-reset": "2026-11-23T11:00:00Z",
       "odata-version": "4.01"
      },
      "body": "60"
     }
    ]
   }
  }
 },
 "knowledge.odata.metadata": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "xml",
   "accept": "application/xml",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "if-none-match": "W/\"before\""
  },
  "further": {},
  "answers": {
   "application/xml": "<?xml version=\"1.0\" encoding=\"UTF-8\"?><edmx:Edmx xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\" Version=\"4.01\"><edmx:Reference Uri=\"https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml\"><edmx:Include Namespace=\"Org.OData.Core.V1\" Alias=\"Core\"/></edmx:Reference><edmx:Reference Uri=\"https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Measures.V1.xml\"><edmx:Include Namespace=\"Org.OData.Measures.V1\" Alias=\"Measures\"/></edmx:Reference><edmx:Reference Uri=\"https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml\"><edmx:Include Namespace=\"Org.OData.Capabilities.V1\" Alias=\"Capabilities\"/></edmx:Reference><edmx:Reference Uri=\"https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Aggregation.V1.xml\"><edmx:Include Namespace=\"Org.OData.Aggregation.V1\" Alias=\"Aggregation\"/></edmx:Reference><edmx:DataServices><Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"ODataKnowledgeModel\"><E…",
   "application/json": {
    "$Version": "4.01",
    "$EntityContainer": "ODataKnowledgeModel.Container",
    "$Reference": {
     "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.json": {
      "$Include": [
       {
        "$Namespace": "Org.OData.Core.V1"
       }
      ]
     },
     "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Measures.V1.json": {
      "$Include": [
       {
        "$Namespace": "Org.OData.Measures.V1"
       }
      ]
     },
     "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.json": {
      "$Include": [
       {
        "$Namespace": "Org.OData.Capabilities.V1"
       }
      ]
     },
     "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Aggregation.V1.json": {
      "$Include": [
       {
        "$Namespace": "Org.OData.Aggregation.V1"
       }
      ]
     }
    },
    "ODataKnowledgeModel": {
     "PURCHASE_ORDER": {
      "$Kind": "EntityType"
     },
     "PO_ITEM": {
      "$Kind": "EntityType"
     },
     "GOODS_RECEIPT": {
      "$Kind": "EntityType"
     },
     "INVOICE": {
      "$Kind": "EntityType"
     },
     "PAYMENT": {
      "$Kind": "EntityType"
     },
     "SUPPLIER": {
      "$Kind": "EntityType"
     },
     "EVENT": {
      "$Kind": "EntityType"
     },
     "Label": {
      "$Kind": "Term"
     },
     "Format": {
      "$Kind": "Term"
     },
     "Container": {
      "$Kind": "EntityContainer"
     }
    }
   }
  }
 },
 "knowledge.odata.entries": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "record_id": "PO_ITEM",
   "$filter": "SUPPLIER/COUNTRY eq @country and year(ORDER_DATE) eq 2026",
   "aliases": {
    "@country": "'DE'"
   },
   "filterid": [
    "LAST_12_MONTHS"
   ],
   "$search": "NOT cancelled",
   "$select": "ORDER_NO,ITEM_NO,NET_AMOUNT",
   "$expand": "SUPPLIER($select=NAME)",
   "$orderby": "NET_AMOUNT desc",
   "$top": 2,
   "$skip": 0,
   "$count": true,
   "prefer": "odata.maxpagesize=100"
  },
  "further": {
   "$apply": "groupby((PLANT),aggregate(NET_AMOUNT with sum as TOTAL))",
   "$skiptoken": "AVVEhxwfao4OTVT6WIIqDXKDwl5MJ4AaWIo0Stq3pXJHyKliWqM_zts0wXMagzIlXkAJczbUUIZ4xty_Fu6aM49OV1GxuaSOEzjXCqnqb-Zx7gKxG10osQ3oYD7tE4IPE3G3TVBS1FxqYSLe2AsUUzLlRJaVD2mH5D8ciTMqIzcgJIcDF-jy4uJz_faxKkL0ktOv-ZvYUo2C4qQgcmQYNN3dIMpj1Z7Y-aEgQj7uN15gTXPlkVGekU3Hf6iBJ8rLBEV1y7GRPlc-cn5_csEbgHOECkE4tbQS5geHSS6pV7psw0ukImScJ3yD-biOU5migfoUoqPW-I1OST2QK5u9JNKcw4juCBUNeSoKrUTMSwDj4y0GhmpE8Pud42Ki"
  },
  "answers": {
   "application/json": {
    "@odata.context": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,NET_AMOUNT,SUPPLIER(NAME))",
    "@odata.count": 17,
    "value": [
     {
      "ORDER_NO": "4500000245",
      "ITEM_NO": 40,
      "NET_AMOUNT": 6400,
      "SUPPLIER": {
       "@odata.id": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/SUPPLIER_entries('100019')",
       "NAME": "Schäfer Industriebedarf GmbH & Co. KG"
      }
     },
     {
      "ORDER_NO": "4500000249",
      "ITEM_NO": 20,
      "NET_AMOUNT": 5154.38,
      "SUPPLIER": {
       "@odata.id": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/SUPPLIER_entries('100041')",
       "NAME": "Jäger Farbstoffe Leipzig GmbH & Co. KG"
      }
     }
    ]
   },
   "application/atom+xml": "<?xml version=\"1.0\" encoding=\"UTF-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:m=\"http://docs.oasis-open.org/odata/ns/metadata\" xmlns:d=\"http://docs.oasis-open.org/odata/ns/data\" xml:base=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/\" m:context=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,NET_AMOUNT,SUPPLIER(NAME))\"><id>http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries</id><title>PO_ITEM_entries</title><updated>2026-11-23T14:16:53.958Z</updated><link rel=\"self\" title=\"PO_ITEM_entries\" href=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries\"/><m:count>17</m:count><entry><id>http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries(ORDER_NO='4500000245',ITEM_NO=40)</id><category scheme=\"http://docs.oasis-open.org/odata/ns/scheme\" term=\"#ODataKnowledgeModel.PO_ITEM\"/><link rel=\"self\" title=\"PO_ITEM\" href=\"http://localhost:8080/intelli…"
  }
 },
 "knowledge.odata.count": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "text/plain",
   "accept": "text/plain",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "record_id": "PO_ITEM",
   "$filter": "SUPPLIER/COUNTRY eq @country",
   "aliases": {
    "@country": "'DE'"
   },
   "filterid": [
    "LAST_12_MONTHS"
   ],
   "$search": "NOT cancelled"
  },
  "further": {
   "$apply": "groupby((PLANT))"
  },
  "answers": {
   "text/plain": "35"
  }
 },
 "knowledge.odata.entry": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "record_id": "PO_ITEM",
   "key": "(ORDER_NO='4500000001',ITEM_NO=10)",
   "$select": "ORDER_NO,ITEM_NO,DESCRIPTION,NET_AMOUNT",
   "$expand": "SUPPLIER($select=NAME)"
  },
  "further": {},
  "answers": {
   "application/json": {
    "@odata.context": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,DESCRIPTION,NET_AMOUNT,SUPPLIER(NAME))/$entity",
    "ORDER_NO": "4500000001",
    "ITEM_NO": 10,
    "DESCRIPTION": "Barcode-Scanner, ATEX",
    "NET_AMOUNT": 932.39,
    "SUPPLIER": {
     "@odata.id": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/SUPPLIER_entries('100035')",
     "NAME": "Němec Obaly Plzeň s.r.o."
    }
   },
   "application/atom+xml": "<?xml version=\"1.0\" encoding=\"UTF-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\" xmlns:m=\"http://docs.oasis-open.org/odata/ns/metadata\" xmlns:d=\"http://docs.oasis-open.org/odata/ns/data\" xml:base=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/\" m:context=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,DESCRIPTION,NET_AMOUNT,SUPPLIER(NAME))/$entity\"><id>http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries(ORDER_NO='4500000001',ITEM_NO=10)</id><category scheme=\"http://docs.oasis-open.org/odata/ns/scheme\" term=\"#ODataKnowledgeModel.PO_ITEM\"/><link rel=\"self\" title=\"PO_ITEM\" href=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries(ORDER_NO='4500000001',ITEM_NO=10)\"/><link rel=\"http://docs.oasis-open.org/odata/ns/related/PURCHASE_ORDER\" type=\"application/atom+xml;type=entry\" title=\"PURCHASE_ORDER\" href=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM…"
  }
 },
 "knowledge.odata.link": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "record_id": "PURCHASE_ORDER",
   "key": "('4500000001')",
   "step": "PO_ITEM",
   "$filter": "NET_AMOUNT gt @least",
   "aliases": {
    "@least": "0"
   },
   "filterid": [
    "LAST_12_MONTHS"
   ],
   "$search": "NOT cancelled",
   "$select": "ORDER_NO,ITEM_NO,NET_AMOUNT",
   "$expand": "SUPPLIER($select=NAME)",
   "$orderby": "NET_AMOUNT desc",
   "$top": 2,
   "$skip": 0,
   "$count": true,
   "prefer": "odata.maxpagesize=100"
  },
  "further": {
   "$skiptoken": "AQRwy1i-4J0kTUBUysnoJZAmtDNmxxoMvp0SS7MZ5c_8_y3c1YwjUQJ-RnAXbTHaJnRGP-u_5qaZ6TDojiYhS6jg9ng3keyAut8pEoxEq37qXzYaY33s1loV76xGIEwuF_V8GB8yKjTeuqfKbr6EIU4oBnoWhKkBEj5HfenZkh7IKu1tjI1Z3eGDk-I9GqBz7RjXmUFOfE-w_7V7O7-y1asvGoO3unRtnkN149mnzuFxf4aWx5ARWlRQo2rzJNN6zqEHXML45F5WRBDTDXkXeetLjoHRfu0Q87ghADDXPdjKHsCCP9S7ThC6WSLLs-zE7c51yOsz0fMbfeoW77pUX0whUw2jWKFsQb5LD72wnbKC0ppu0KRykOMnTjxc"
  },
  "answers": {
   "application/json": {
    "@odata.context": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,NET_AMOUNT,SUPPLIER(NAME))",
    "@odata.count": 0,
    "value": []
   },
   "application/atom+xml": "<?xml version=\"1.0\" encoding=\"UTF-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:m=\"http://docs.oasis-open.org/odata/ns/metadata\" xmlns:d=\"http://docs.oasis-open.org/odata/ns/data\" xml:base=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/\" m:context=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,NET_AMOUNT,SUPPLIER(NAME))\"><id>http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries</id><title>PO_ITEM_entries</title><updated>2026-11-23T14:16:54.124Z</updated><link rel=\"self\" title=\"PO_ITEM_entries\" href=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries\"/><m:count>0</m:count></feed>"
  }
 },
 "knowledge.odata.part": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "json",
   "accept": "application/json",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "record_id": "PO_ITEM",
   "key": "(ORDER_NO='4500000001',ITEM_NO=10)",
   "step": "PURCHASE_ORDER",
   "part": "PO_ITEM",
   "$filter": "NET_AMOUNT gt @least",
   "aliases": {
    "@least": "0"
   },
   "filterid": [
    "LAST_12_MONTHS"
   ],
   "$search": "NOT cancelled",
   "$select": "ORDER_NO,ITEM_NO,NET_AMOUNT",
   "$expand": "SUPPLIER($select=NAME)",
   "$orderby": "NET_AMOUNT desc",
   "$top": 2,
   "$skip": 0,
   "$count": true,
   "prefer": "odata.maxpagesize=100"
  },
  "further": {
   "$skiptoken": "Adahg5aNJEiW_IF4U2MZWtwIHPMknz9FaPrXJdNj4lfEalU6u1CAfbT64TT3hAsltBeBsLnSiFnH8_wVuDeHLf4hczXZw_ttM6MuM-6AtdXatprJr5qYWUAZFaewqY7AlId5Pp_F1cf4BWzRvL-xaxBt6bEF4eSJZOyZdm1Bn9YB3udogs55SsnheI46Rnl2uSu_N0g4CyGvwCG0a__gBLxYlcSYFWhH_kPhP_nQfOzncg5sgbwnZU8MPr2wu6dZzBujRVnoPSuvsGmgcafByXbVQvKMVO7BRWWtC1uQH6mU79pW1BXxpgcOvuvtevk8vKg1ZN2MDFEmBRPuPtpxSAngyhLK0D-kmvWk8Um-Qugs9zQeETlhIJJxAeNL"
  },
  "answers": {
   "application/json": {
    "@odata.context": "http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,NET_AMOUNT,SUPPLIER(NAME))",
    "@odata.count": 0,
    "value": []
   },
   "application/atom+xml": "<?xml version=\"1.0\" encoding=\"UTF-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:m=\"http://docs.oasis-open.org/odata/ns/metadata\" xmlns:d=\"http://docs.oasis-open.org/odata/ns/data\" xml:base=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/\" m:context=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,NET_AMOUNT,SUPPLIER(NAME))\"><id>http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries</id><title>PO_ITEM_entries</title><updated>2026-11-23T14:16:54.168Z</updated><link rel=\"self\" title=\"PO_ITEM_entries\" href=\"http://localhost:8080/intelligence/api/odata/p2p.base-km.svc/PO_ITEM_entries\"/><m:count>0</m:count></feed>"
  }
 },
 "knowledge.odata.linkCount": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "text/plain",
   "accept": "text/plain",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "record_id": "PURCHASE_ORDER",
   "key": "('4500000001')",
   "step": "PO_ITEM",
   "$filter": "NET_AMOUNT gt @least",
   "aliases": {
    "@least": "0"
   },
   "filterid": [
    "LAST_12_MONTHS"
   ],
   "$search": "NOT cancelled"
  },
  "further": {},
  "answers": {
   "text/plain": "0"
  }
 },
 "knowledge.odata.value": {
  "parameters": {
   "km_id": "p2p.base-km",
   "$format": "text/plain",
   "accept": "text/plain",
   "odata-version": "4.01",
   "odata-maxversion": "4.01",
   "record_id": "PURCHASE_ORDER",
   "key": "('4500000001')",
   "step": "ORDER_NO"
  },
  "further": {},
  "answers": {
   "text/plain": "4500000001"
  }
 },
 "knowledge.definitions.export": {
  "parameters": {
   "team": "meridian"
  },
  "further": {},
  "answers": {
   "application/json": {
    "models": [
     {
      "id": "p2p.base-km",
      "version": 1,
      "publishedAt": "2026-11-23T10:03:00.378Z",
      "definition": {
       "kind": "KnowledgeModel",
       "id": "p2p.base-km",
       "name": "Purchase to pay",
       "description": "What Meridian Coatings orders, receives, is invoiced for and pays.",
       "source": {
        "schema": "p2p"
       },
       "records": [
        {
         "id": "PURCHASE_ORDER",
         "name": "Purchase order",
         "description": "An order of one plant to one supplier.",
         "synonyms": [
          "Bestellung"
         ],
         "shortDisplayName": "Order",
         "table": "purchase_order",
         "identifier": [
          "ORDER_NO"
         ],
         "curated": true,
         "attributes": [
          {
           "id": "ORDER_NO"
          }
         ],
         "augmentedAttributes": [
          {
           "id": "ORDER_MONTH"
          }
         ],
         "flags": [
          {
           "id": "COMPLETED"
          }
         ]
        }
       ],
       "relationships": [
        {
         "from": "PO_ITEM",
         "to": "PURCHASE_ORDER",
         "on": {
          "ORDER_NO": "ORDER_NO"
         },
         "cardinality": "many-to-one"
        }
       ],
       "kpis": [
        {
         "id": "OPEN_PO_VALUE",
         "name": "Open order value",
         "description": "What is ordered and still to come, at the price of the order.",
         "synonyms": [
          "Offener Bestellwert"
         ],
         "expression": "sum(PO_ITEM.OPEN_AMOUNT)",
         "unit": "EUR",
         "format": ",.0f",
         "direction": "Down"
        }
       ],
       "filters": [
        {
         "id": "LAST_12_MONTHS",
         "name": "Last twelve months",
         "description": "Orders from 2025-07-01 to 2026-06-30 and what belongs to them.",
         "synonyms": [
          "Letzte zwölf Monate"
         ],
         "expression": "PURCHASE_ORDER.ORDER_DATE ge 2025-07-01 and PURCHASE_ORDER.ORDER_DATE le 2026-06-30"
        }
       ],
       "policies": [
        {
         "record": "SUPPLIER",
         "hide": [
          "BANK_ACCOUNT"
         ],
         "unless": {
          "scope": "finance:read"
         }
        }
       ]
      }
     }
    ],
    "tables": [
     {
      "definition": {
       "kind": "Table",
       "schema": "p2p",
       "id": "event",
       "name": "Event",
       "description": "What happened to an order, in the order of time.",
       "columns": [
        {
         "id": "case_id",
         "type": "string"
        }
       ],
       "primaryKey": [
        "case_id"
       ],
       "indexes": [
        {
         "columns": [
          "activity"
         ]
        }
       ],
       "source": {
        "file": "event.csv"
       }
      },
      "dataVersion": 1,
      "rows": 6300,
      "loadedAt": "2026-11-23T10:03:09.181Z"
     }
    ]
   }
  }
 },
 "knowledge.definitions.apply": {
  "parameters": {
   "team": "meridian",
   "idempotency-key": "b9688da1-5906-453e-8a85-bf8e4629cece"
  },
  "further": {
   "if-match": "*"
  },
  "body": {
   "definitions": [
    {
     "kind": "Table",
     "schema": "p2p",
     "id": "budget",
     "primaryKey": [
      "plant"
     ],
     "columns": [
      {
       "id": "plant",
       "type": "string",
       "nullable": false
      },
      {
       "id": "amount",
       "type": "float",
       "nullable": false
      }
     ]
    },
    {
     "kind": "KnowledgeModel",
     "id": "p2p.budget-km",
     "name": "Budgets",
     "source": {
      "schema": "p2p"
     },
     "records": [
      {
       "id": "BUDGET",
       "name": "Budget",
       "table": "budget",
       "identifier": [
        "PLANT"
       ],
       "attributes": [
        {
         "id": "PLANT",
         "name": "Plant",
         "type": "string",
         "column": "plant"
        },
        {
         "id": "AMOUNT",
         "name": "Amount",
         "type": "float",
         "column": "amount"
        }
       ]
      }
     ],
     "kpis": [
      {
       "id": "BUDGET_TOTAL",
       "name": "Budget",
       "expression": "sum(BUDGET.AMOUNT)",
       "unit": "EUR"
      }
     ]
    },
    {
     "kind": "Table",
     "schema": "p2p",
     "id": "plan",
     "columns": [
      {
       "id": "plant",
       "type": "string",
       "nullable": false
      }
     ]
    }
   ],
   "mode": "publish"
  },
  "answers": {
   "application/json": {
    "definitions": [
     {
      "kind": "Table",
      "id": "p2p.budget",
      "state": "created",
      "changes": []
     },
     {
      "kind": "KnowledgeModel",
      "id": "p2p.budget-km",
      "state": "created",
      "version": 1,
      "changes": []
     },
     {
      "kind": "Table",
      "id": "p2p.plan",
      "state": "created",
      "changes": []
     }
    ],
    "breaks": []
   }
  }
 },
 "knowledge.loads.begin": {
  "parameters": {
   "team": "meridian",
   "schema": "p2p",
   "table": "budget",
   "idempotency-key": "6ed03a96-d458-437c-9b9f-62e1f67e5a7a"
  },
  "further": {},
  "body": {
   "format": "csv",
   "mode": "replace"
  },
  "answers": {
   "application/json": {
    "loadId": "01a207da-6737-773f-b208-cf412693afea",
    "state": "loading",
    "rows": 0
   }
  }
 },
 "knowledge.loads.stage": {
  "parameters": {
   "team": "meridian",
   "schema": "p2p",
   "table": "budget",
   "loadId": "01a207da-6737-773f-b208-cf412693afea",
   "idempotency-key": "0502b202-61d7-42b1-978f-644303e156a3"
  },
  "further": {},
  "body": {
   "ordinal": 0,
   "firstLine": 2,
   "text": "1010,250000\n1020,180000.5\n"
  },
  "answers": {
   "application/json": {
    "rows": 2
   }
  }
 },
 "knowledge.loads.read": {
  "parameters": {
   "team": "meridian",
   "schema": "p2p",
   "table": "budget",
   "loadId": "01a207da-6737-773f-b208-cf412693afea"
  },
  "further": {},
  "answers": {
   "application/json": {
    "loadId": "01a207da-6737-773f-b208-cf412693afea",
    "state": "loading",
    "rows": 2
   }
  }
 },
 "knowledge.loads.commit": {
  "parameters": {
   "team": "meridian",
   "schema": "p2p",
   "table": "budget",
   "loadId": "01a207da-6737-773f-b208-cf412693afea",
   "idempotency-key": "9ab351f3-2f8e-401d-8bed-7f8d1b86a774"
  },
  "further": {},
  "body": {
   "batches": 1
  },
  "answers": {
   "application/json": {
    "loadId": "01a207da-6737-773f-b208-cf412693afea",
    "state": "committed",
    "rows": 2,
    "dataVersion": 1
   }
  }
 },
 "knowledge.tables.list": {
  "parameters": {
   "team": "meridian",
   "after": "a.a",
   "pageSize": 2
  },
  "further": {},
  "answers": {
   "application/json": {
    "tables": [
     {
      "schema": "p2p",
      "id": "budget",
      "name": "budget",
      "columns": [
       {
        "id": "plant",
        "type": "string",
        "nullable": false
       },
       {
        "id": "amount",
        "type": "float",
        "nullable": false
       }
      ],
      "primaryKey": [
       "plant"
      ],
      "dataVersion": 1,
      "rows": 2,
      "loadedAt": "2026-11-24T03:32:58.180Z",
      "loadedBy": "key:Ghg6FW7XkSkx",
      "bytes": 32768,
      "kept": []
     },
     {
      "schema": "p2p",
      "id": "event",
      "name": "Event",
      "description": "What happened to an order, in the order of time.",
      "columns": [
       {
        "id": "case_id",
        "type": "string",
        "nullable": false
       },
       {
        "id": "event_no",
        "type": "integer",
        "nullable": false
       }
      ],
      "primaryKey": [
       "case_id",
       "event_no"
      ],
      "source": {
       "file": "event.csv"
      },
      "dataVersion": 1,
      "rows": 6300,
      "loadedAt": "2026-11-24T03:32:28.154Z",
      "loadedBy": "key:Ghg6FW7XkSkx",
      "bytes": 1228800,
      "kept": []
     }
    ],
    "next": "p2p.event"
   }
  }
 },
 "knowledge.loads.list": {
  "parameters": {
   "team": "meridian",
   "schema": "p2p",
   "table": "budget"
  },
  "further": {},
  "answers": {
   "application/json": {
    "loads": [
     {
      "loadId": "01a20b9d-2616-7508-b4ba-49408bc0bd1e",
      "state": "committed",
      "rows": 2,
      "format": "csv",
      "mode": "replace",
      "startedBy": "key:Ghg6FW7XkSkx",
      "dataVersion": 1,
      "startedAt": "2026-11-24T03:32:57.984Z"
     }
    ]
   }
  }
 },
 "knowledge.modelVersions.list": {
  "parameters": {
   "team": "meridian",
   "modelId": "p2p.base-km",
   "before": 2,
   "pageSize": 1
  },
  "further": {},
  "answers": {
   "application/json": {
    "versions": [
     {
      "version": 1,
      "digest": "44bac728f263f3dd612fbc14a1c5fceefba5fc3922c8fddbdded4f03738f3660",
      "publishedAt": "2026-11-24T03:32:17.851Z",
      "publishedBy": "key:Ghg6FW7XkSkx",
      "isPublished": true
     }
    ]
   }
  }
 },
 "knowledge.modelVersions.read": {
  "parameters": {
   "team": "meridian",
   "modelId": "p2p.base-km",
   "version": "1"
  },
  "further": {},
  "answers": {
   "application/json": {
    "version": "1",
    "digest": "44bac728f263f3dd612fbc14a1c5fceefba5fc3922c8fddbdded4f03738f3660",
    "definition": {
     "kind": "KnowledgeModel",
     "id": "p2p.base-km",
     "name": "Purchase to pay",
     "description": "What Meridian Coatings orders, receives, is invoiced for and pays.",
     "source": {
      "schema": "p2p"
     },
     "records": [
      {
       "id": "PURCHASE_ORDER",
       "name": "Purchase order",
       "description": "An order of one plant to one supplier.",
       "synonyms": [
        "Bestellung"
       ],
       "shortDisplayName": "Order",
       "table": "purchase_order",
       "identifier": [
        "ORDER_NO"
       ],
       "curated": true,
       "attributes": [
        {
         "id": "ORDER_NO",
         "name": "Order",
         "description": "The number of the order.",
         "synonyms": [
          "Bestellung"
         ],
         "column": "order_no"
        }
       ],
       "augmentedAttributes": [
        {
         "id": "ORDER_MONTH",
         "name": "Order month",
         "description": "The first day of the month of the order.",
         "synonyms": [
          "Bestellmonat"
         ],
         "expression": "date_trunc('month', ORDER_DATE)"
        }
       ],
       "flags": [
        {
         "id": "COMPLETED",
         "name": "Completed",
         "description": "Whether nothing is left to come, to be invoiced or to be paid.",
         "synonyms": [
          "Abgeschlossen"
         ],
         "expression": "COMPLETED_ON is not null"
        }
       ]
      }
     ],
     "relationships": [
      {
       "from": "PO_ITEM",
       "to": "PURCHASE_ORDER",
       "on": {
        "ORDER_NO": "ORDER_NO"
       },
       "cardinality": "many-to-one"
      }
     ],
     "kpis": [
      {
       "id": "OPEN_PO_VALUE",
       "name": "Open order value",
       "description": "What is ordered and still to come, at the price of the order.",
       "synonyms": [
        "Offener Bestellwert"
       ],
       "expression": "sum(PO_ITEM.OPEN_AMOUNT)",
       "unit": "EUR",
       "format": ",.0f",
       "direction": "Down"
      }
     ],
     "filters": [
      {
       "id": "LAST_12_MONTHS",
       "name": "Last twelve months",
       "description": "Orders from 2025-07-01 to 2026-06-30 and what belongs to them.",
       "synonyms": [
        "Letzte zwölf Monate"
       ],
       "expression": "PURCHASE_ORDER.ORDER_DATE ge 2025-07-01 and PURCHASE_ORDER.ORDER_DATE le 2026-06-30"
      }
     ],
     "policies": [
      {
       "record": "SUPPLIER",
       "hide": [
        "BANK_ACCOUNT"
       ],
       "unless": {
        "scope": "finance:read"
       }
      }
     ]
    }
   }
  }
 },
 "knowledge.modelVersions.compare": {
  "parameters": {
   "team": "meridian",
   "modelId": "p2p.base-km",
   "from": "1",
   "to": "published"
  },
  "further": {},
  "answers": {
   "application/json": {
    "from": "1",
    "to": "1",
    "changes": []
   }
  }
 },
 "knowledge.loads.cancel": {
  "parameters": {
   "team": "meridian",
   "schema": "p2p",
   "table": "budget",
   "loadId": "01a207da-67ff-7f9b-9ae1-cb46d9dc4d6c"
  },
  "further": {},
  "answers": {
   "application/json": {
    "loadId": "01a207da-67ff-7f9b-9ae1-cb46d9dc4d6c"
   }
  }
 },
 "knowledge.queries.explain": {
  "parameters": {
   "team": "meridian",
   "modelId": "p2p.base-km"
  },
  "further": {},
  "body": {
   "query": {
    "projection": {
     "fields": "PURCHASE_ORDER.PLANT",
     "kpis": [
      "MAVERICK_RATE"
     ]
    }
   }
  },
  "answers": {
   "application/json": {
    "grain": [
     "PO_ITEM"
    ],
    "plan": {
     "kind": "groups",
     "by": [
      "PURCHASE_ORDER.PLANT"
     ],
     "kpis": [
      "MAVERICK_RATE"
     ],
     "grains": [
      {
       "root": {
        "record": "PO_ITEM",
        "as": "PO_ITEM"
       },
       "joins": [
        {
         "record": "PURCHASE_ORDER",
         "as": "PURCHASE_ORDER",
         "to": "PO_ITEM",
         "on": [
          "PO_ITEM.ORDER_NO = PURCHASE_ORDER.ORDER_NO"
         ],
         "toMany": false,
         "optional": true
        }
       ],
       "aggregates": "1",
       "countsRowsOnce": false
      }
     ],
     "orderBy": [
      "PURCHASE_ORDER.PLANT"
     ]
    },
    "sql": "select \"PURCHASE_ORDER\".\"plant\", avg((case when (\"PO_ITEM\".\"requisition_no\" is null) then $1::numeric else $2::numeric end)) from \"meridian.p2p\".\"po_item\" as \"PO_ITEM\" left join \"meridian.p2p\".\"purchase_order\" as \"PURCHASE_ORDER\" on (\"PURCHASE_ORDER\".\"order_no\" = \"PO_ITEM\".\"order_no\") group by 1 ord…",
    "parameters": 4,
    "countSql": "select count(*) from (select \"PURCHASE_ORDER\".\"plant\" from \"meridian.p2p\".\"po_item\" as \"PO_ITEM\" left join \"meridian.p2p\".\"purchase_order\" as \"PURCHASE_ORDER\" on (\"PURCHASE_ORDER\".\"order_no\" = \"PO_ITEM\".\"order_no\") group by 1) as \"groups\"",
    "rowPolicies": [],
    "hiddenFields": [
     "SUPPLIER.BANK_ACCOUNT"
    ],
    "cost": {
     "total": 57.27,
     "rows": 4,
     "indexes": []
    },
    "engine": {
     "name": "postgresql",
     "reason": "no-table",
     "detail": "A table that it reads is not stored by columns, or not yet."
    }
   }
  }
 },
 "knowledge.loads.undo": {
  "parameters": {
   "team": "meridian",
   "schema": "p2p",
   "table": "budget",
   "idempotency-key": "3f0c2f5e-6c0a-4a52-9a3e-0d9a7b1c5e24"
  },
  "further": {},
  "answers": {
   "application/json": {
    "rows": 2,
    "dataVersion": 3,
    "kept": 0
   }
  }
 },
 "knowledge.models.delete": {
  "parameters": {
   "team": "meridian",
   "modelId": "p2p.budget-km"
  },
  "further": {},
  "answers": {
   "application/json": {
    "deleted": "p2p.budget-km"
   }
  }
 },
 "knowledge.tables.delete": {
  "parameters": {
   "team": "meridian",
   "schema": "p2p",
   "table": "plan"
  },
  "further": {},
  "answers": {
   "application/json": {
    "deleted": "p2p.plan"
   }
  }
 },
 "tools.call": {
  "parameters": {
   "asset_id": "p2p-tools",
   "draft": false,
   "tool_id": "load-data",
   "prefer": "evidence"
  },
  "further": {},
  "body": {
   "columns": [
    "PURCHASE_ORDER.PLANT",
    "MAVERICK_RATE"
   ],
   "order_by": "MAVERICK_RATE",
   "ascending": false,
   "limit": 2
  },
  "answers": {
   "application/json": {
    "page": 0,
    "page_size": 50,
    "total": 2,
    "data_frame_content": {
     "data": [
      {
       "PURCHASE_ORDER.PLANT": "2010",
       "MAVERICK_RATE": 0.1297709923664122
      },
      {
       "PURCHASE_ORDER.PLANT": "3010",
       "MAVERICK_RATE": 0.08045977011494253
      }
     ],
     "schema": [
      {
       "id": "PURCHASE_ORDER.PLANT",
       "type": "STRING",
       "displayName": "Plant"
      },
      {
       "id": "MAVERICK_RATE",
       "type": "FLOAT",
       "displayName": "Maverick buying",
       "format": ".1%"
      }
     ]
    }
   }
  }
 },
 "tools.mcp": {
  "parameters": {
   "asset_id": "p2p-tools",
   "draft": false,
   "accept": "application/json",
   "content-type": "application/json",
   "mcp-protocol-version": "2025-11-25",
   "mcp-method": "tools/call",
   "mcp-name": "load-data",
   "prefer": "evidence"
  },
  "further": {},
  "body": {
   "jsonrpc": "2.0",
   "id": 1,
   "method": "tools/call",
   "params": {
    "name": "load-data",
    "arguments": {
     "columns": [
      "PURCHASE_ORDER.PLANT",
      "MAVERICK_RATE"
     ],
     "order_by": "MAVERICK_RATE",
     "ascending": false,
     "limit": 2
    }
   }
  },
  "answers": {
   "application/json": {
    "result": {
     "content": [
      {
       "type": "text",
       "text": "{\"page\":0,\"page_size\":50,\"total\":2,\"data_frame_content\":{\"data\":[{\"PURCHASE_ORDER.PLANT\":\"2010\",\"MAVERICK_RATE\":0.12977099236641221374},{\"PURCHASE_ORDER.PLANT\":\"3010\",\"MAVERICK_RATE\":0.08045977011494252874}],\"schema\":[{\"id\":\"PURCHASE_ORDER.PLANT\",\"type\":\"STRING\",\"displayName\":\"Plant\"},{\"id\":\"MAVERIC…"
      }
     ],
     "structuredContent": {
      "page": 0,
      "page_size": 50,
      "total": 2,
      "data_frame_content": {
       "data": [
        {
         "PURCHASE_ORDER.PLANT": "2010",
         "MAVERICK_RATE": 0.1297709923664122
        },
        {
         "PURCHASE_ORDER.PLANT": "3010",
         "MAVERICK_RATE": 0.08045977011494253
        }
       ],
       "schema": [
        {
         "id": "PURCHASE_ORDER.PLANT",
         "type": "STRING",
         "displayName": "Plant"
        },
        {
         "id": "MAVERICK_RATE",
         "type": "FLOAT",
         "displayName": "Maverick buying",
         "format": ".1%"
        }
       ]
      }
     },
     "_meta": {
      "tessera/evidence": "/intelligence/api/evidence/01a21e11-59a0-7000-9692-154c10462299"
     }
    },
    "jsonrpc": "2.0",
    "id": 1
   },
   "text/event-stream": "event: message\ndata: {\"result\":{\"_meta\":{\"tessera/evidence\":\"/intelligence/api/evidence/01a21e11-5a2c-7000-ba60-714a1598ce56\"},\"content\":[{\"type\":\"text\",\"text\":\"{\\\"page\\\":0,\\\"page_size\\\":50,\\\"total\\\":2,\\\"data_frame_content\\\":{\\\"data\\\":[{\\\"PURCHASE_ORDER.PLANT\\\":\\\"2010\\\",\\\"MAVERICK_RATE\\\":0.12977099236641221374},{\\\"PURCHASE_ORDER.PLANT\\\":\\\"3010\\\",\\\"MAVERICK_RATE\\\":0.08045977011494252874}],\\\"schema\\\":[{\\\"id\\\":\\\"PURCHASE_ORDER.PLANT\\\",\\\"type\\\":\\\"STRING\\\",\\\"displayName\\\":\\\"Plant\\\"},{\\\"id\\\":\\\"MAVERICK_RATE\\\",\\\"type\\\":\\\"FLOAT\\\",\\\"displayName\\\":\\\"Maverick buying\\\",\\\"format\\\":\\\".1%\\\"}]}}\"}],\"structuredContent\":{\"page\":0,\"page_size\":50,\"total\":2,\"data_frame_content\":{\"data\":[{\"PURCHASE_ORDER.PLANT\":\"2010\",\"MAVERICK_RATE\":0.1297709923664122},{\"PURCHASE_ORDER.PLANT\":\"3010\",\"MAVERICK_RATE\":0.08045977011494253}],\"schema\":[{\"id\":\"PURCHASE_ORDER.PLANT\",\"type\":\"STRING\",\"displayName\":\"Plant\"},{\"id\":\"MAVERICK_RATE\",\"type\":\"FLOAT\",\"displayName\":\"Maverick buying\",\"format\":\".1%\"}]}}},\"jsonrpc\":\"2.0\",\"id\":1…"
  }
 },
 "tools.assets.list": {
  "parameters": {
   "after": "a",
   "pageSize": 2
  },
  "further": {},
  "answers": {
   "application/json": {
    "assets": [
     {
      "id": "p2p-tools",
      "name": "Purchase to pay",
      "description": "Figures of purchase to pay, the processes behind them, and invoices in the ERP of Meridian Coatings.",
      "version": "1",
      "tools": 6,
      "callsPerMinute": 500,
      "mcp": "http://localhost:8080/studio-copilot/api/v1/mcp-servers/mcp/p2p-tools"
     }
    ]
   }
  }
 },
 "tools.list": {
  "parameters": {
   "asset_id": "p2p-tools",
   "draft": false
  },
  "further": {},
  "answers": {
   "application/json": {
    "name": "Purchase to pay",
    "instructions": "Find ids with search-data before you ask load-data or get-insights for figures. Amounts are in EUR; today is 2026-06-30. Say which filters you used. Block an invoice only when the user asks for it.",
    "version": "1",
    "tools": [
     {
      "name": "search-data",
      "title": "Find names",
      "description": "Finds the ids of KPIs, fields, filters and values of purchase to pay by words, in English or German, also when they are misspelt. Call it first, with every word of the question that could be one of th…",
      "inputSchema": {
       "type": "object",
       "properties": {
        "search_terms": {
         "minItems": 1,
         "maxItems": 20,
         "type": "array",
         "items": {
          "type": "string",
          "minLength": 1,
          "maxLength": 200
         },
         "description": "Words to look for, each by itself, e.g. \"maverick\", \"supplier\", \"Rotterdam\". Misspelt ones find too."
        },
        "user_query": {
         "default": "",
         "description": "The question that the words are from; it helps with the order.",
         "type": "string",
         "maxLength": 4000
        }
       },
       "required": [
        "search_terms"
       ],
       "additionalProperties": false
      },
      "outputSchema": {
       "type": "object",
       "properties": {
        "search_result": {
         "type": "string",
         "description": "JSON: each search term -> the list of what was found for it, best first."
        },
        "complete": {
         "type": "boolean",
         "description": "False when the time was over before all values were looked at; the same search again finds more."
        }
       },
       "required": [
        "search_result"
       ],
       "additionalProperties": false
      },
      "isReadOnly": true
     }
    ]
   }
  }
 },
 "tools.calls.listOwn": {
  "parameters": {
   "assetId": "p2p-tools",
   "toolId": "load-data",
   "outcome": "ok",
   "pageSize": 1,
   "from": "2026-01-01T00:00:00Z",
   "to": "9999-12-31T00:00:00Z"
  },
  "further": {
   "after": "01a20b9d-2aa2-7000-9430-f0ff7bf3db17"
  },
  "answers": {
   "application/json": {
    "calls": [
     {
      "callId": "01a20b9d-2aa2-7000-9430-f0ff7bf3db17",
      "startedAt": "2026-11-24T03:32:59.170Z",
      "subject": "key:gCNzzuq0plNE",
      "door": "mcp",
      "assetId": "p2p-tools",
      "version": "1",
      "digest": "22c6a52876139b1c51eb8d3544f4cc01a938f3ddf84c51a4c185a67a6214683e",
      "toolId": "load-data",
      "argumentsDigest": "12aff37234fdef9dcb724a2f28c6c010fc094d9c2d2fd9d31f66df2cc4f4b054",
      "durationMs": 7.869,
      "outcome": "ok",
      "requestId": "10a7c892-6365-48ae-af26-d40ced854d54"
     }
    ],
    "next": "01a20b9d-2aa2-7000-9430-f0ff7bf3db17"
   }
  }
 },
 "tools.definitions.export": {
  "parameters": {
   "team": "meridian"
  },
  "further": {},
  "answers": {
   "application/json": {
    "assets": [
     {
      "id": "p2p-tools",
      "version": 1,
      "digest": "22c6a52876139b1c51eb8d3544f4cc01a938f3ddf84c51a4c185a67a6214683e",
      "publishedAt": "2026-11-23T10:07:01.503Z",
      "definition": {
       "kind": "AgentToolsAsset",
       "id": "p2p-tools",
       "name": "Purchase to pay",
       "description": "Figures of purchase to pay, the processes behind them, and invoices in the ERP of Meridian Coatings.",
       "instructions": "Find ids with search-data before you ask load-data or get-insights for figures. Amounts are in EUR; today is 2026-06-30. Say which filters you used. Block an invoice only when the user asks for it.",
       "tools": [
        {
         "kind": "search-data",
         "id": "search-data",
         "name": "Find names",
         "description": "Finds the ids of KPIs, fields, filters and values of purchase to pay by words, in English or German, also when they are misspelt. Call it first, with every word of the question that could be one of th…",
         "knowledgeModel": "p2p.base-km"
        }
       ]
      },
      "draft": {
       "kind": "AgentToolsAsset",
       "id": "p2p-tools",
       "name": "Purchase to pay",
       "description": "Figures of purchase to pay, the processes behind them, and invoices in the ERP of Meridian Coatings.",
       "instructions": "Find ids with search-data before you ask load-data or get-insights for figures. Amounts are in EUR; today is 2026-06-30. Say which filters you used. Block an invoice only when the user asks for it.",
       "tools": [
        {
         "kind": "search-data",
         "id": "search-data",
         "name": "Find names",
         "description": "Finds the ids of KPIs, fields, filters and values of purchase to pay by words, in English or German, also when they are misspelt. Call it first, with every word of the question that could be one of th…",
         "knowledgeModel": "p2p.base-km"
        }
       ]
      }
     }
    ]
   }
  }
 },
 "tools.calls.list": {
  "parameters": {
   "team": "meridian",
   "assetId": "p2p-tools",
   "toolId": "load-data",
   "outcome": "ok",
   "pageSize": 1,
   "from": "2026-01-01T00:00:00Z",
   "to": "9999-12-31T00:00:00Z"
  },
  "further": {
   "subject": "key:utQ6vjp70ucW",
   "after": "01a207da-699b-7000-aa6c-884c653eea53"
  },
  "answers": {
   "application/json": {
    "calls": [
     {
      "callId": "01a207da-699b-7000-aa6c-884c653eea53",
      "startedAt": "2026-11-23T10:01:24.123Z",
      "subject": "key:utQ6vjp70ucW",
      "door": "mcp",
      "assetId": "p2p-tools",
      "version": "1",
      "digest": "22c6a52876139b1c51eb8d3544f4cc01a938f3ddf84c51a4c185a67a6214683e",
      "toolId": "load-data",
      "argumentsDigest": "12aff37234fdef9dcb724a2f28c6c010fc094d9c2d2fd9d31f66df2cc4f4b054",
      "durationMs": 8.764,
      "outcome": "ok",
      "requestId": "f86be57c-930a-4e7d-a934-357993262eff"
     }
    ],
    "next": "01a207da-699b-7000-aa6c-884c653eea53"
   }
  }
 },
 "tools.definitions.apply": {
  "parameters": {
   "team": "meridian",
   "idempotency-key": "c1ef4831-2598-40ec-a546-08dabe2c2e89"
  },
  "further": {},
  "body": {
   "definitions": [
    {
     "kind": "AgentToolsAsset",
     "id": "helpdesk-tools",
     "name": "Helpdesk",
     "tools": [
      {
       "kind": "find-content",
       "id": "find-content",
       "name": "Find processes",
       "storage": "meridian/p2p",
       "description": "Finds processes by their names."
      }
     ]
    }
   ],
   "mode": "publish"
  },
  "answers": {
   "application/json": {
    "definitions": [
     {
      "kind": "AgentToolsAsset",
      "id": "helpdesk-tools",
      "state": "created",
      "version": 1,
      "changes": []
     }
    ]
   }
  }
 },
 "tools.assets.delete": {
  "parameters": {
   "team": "meridian",
   "assetId": "helpdesk-tools"
  },
  "further": {},
  "answers": {
   "application/json": {
    "deleted": "helpdesk-tools"
   }
  }
 },
 "agents.list": {
  "parameters": {},
  "further": {},
  "answers": {
   "application/json": {
    "agents": [
     {
      "id": "p2p-analyst",
      "name": "Purchase to pay analyst",
      "description": "Answers questions about purchase to pay at Meridian Coatings with figures, and finds how its work is done.",
      "version": 1
     }
    ]
   }
  }
 },
 "agents.converse": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "draft": false,
   "idempotency-key": "8601ff30-44f6-4c49-9ad9-702dbc259a3e",
   "accept": "application/json",
   "prefer": "evidence"
  },
  "further": {},
  "body": {
   "message": "What is the maverick rate by plant?"
  },
  "answers": {
   "application/json": {
    "conversationId": "01a21e2f-4277-748e-b1fe-11d28a9e91c9",
    "text": "Maverick buying by Plant:\n\n| Plant | Maverick buying |\n| --- | ---: |\n| 2010 | 12.98 % |\n| 3010 | 8.05 % |\n| 1010 | 1.55 % |\n| 1020 | 0.99 % |",
    "grounding": {
     "outcome": "verified",
     "figures": [
      {
       "text": "12.98 %",
       "value": 0.1298,
       "start": 79,
       "end": 86,
       "state": "verified",
       "cells": [
        {
         "callId": "call-3",
         "tool": "load-data",
         "evidence": "/intelligence/api/evidence/01a21e2f-44ed-7000-9791-8823f9f4bd76",
         "row": 1,
         "column": "MAVERICK_RATE"
        }
       ]
      },
      {
       "text": "8.05 %",
       "value": 0.0805,
       "start": 98,
       "end": 104,
       "state": "verified",
       "cells": [
        {
         "callId": "call-3",
         "tool": "load-data",
         "evidence": "/intelligence/api/evidence/01a21e2f-44ed-7000-9791-8823f9f4bd76",
         "row": 2,
         "column": "MAVERICK_RATE"
        }
       ]
      }
     ]
    }
   },
   "text/event-stream": "event: turn\ndata: {\"conversationId\":\"01a21e2f-45b6-7f02-bcc0-bc695df9efb2\",\"turn\":1}\n\nevent: tool-call\ndata: {\"callId\":\"call-1\",\"tool\":\"get-knowledge-model\",\"arguments\":{}}\n\nevent: tool-call\ndata: {\"callId\":\"call-2\",\"tool\":\"search-data\",\"arguments\":{\"search_terms\":[\"maverick\",\"rate\",\"plant\",\"maverick rate\"],\"user_query\":\"What is the maverick rate by plant?\"}}\n\nevent: tool-result\ndata: {\"callId\":\"call-1\",\"tool\":\"get-knowledge-model\",\"isError\":false,\"durationMs\":19.795}\n\nevent: tool-result\ndata: {\"callId\":\"call-2\",\"tool\":\"search-data\",\"isError\":false,\"durationMs\":66.389}"
  }
 },
 "agents.completions.create": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "draft": false,
   "idempotency-key": "fdca3805-6cd9-4970-a6f5-67ae7f14a00c",
   "prefer": "evidence"
  },
  "further": {},
  "body": {
   "model": "p2p-analyst",
   "messages": [
    {
     "role": "user",
     "content": "What is the maverick rate by plant?"
    }
   ]
  },
  "answers": {
   "application/json": {
    "id": "chatcmpl-01a21e2f-46d2-7e9c-99ee-85ee49edce53-1",
    "object": "chat.completion",
    "created": 1795802744,
    "model": "p2p-analyst",
    "choices": [
     {
      "index": 0,
      "message": {
       "role": "assistant",
       "content": "Maverick buying by Plant:\n\n| Plant | Maverick buying |\n| --- | ---: |\n| 2010 | 12.98 % |\n| 3010 | 8.05 % |\n| 1010 | 1.55 % |\n| 1020 | 0.99 % |",
       "refusal": null
      },
      "finish_reason": "stop",
      "logprobs": null
     }
    ],
    "usage": {
     "prompt_tokens": 30810,
     "completion_tokens": 223,
     "total_tokens": 31033
    },
    "metadata": {
     "conversation_id": "01a21e2f-46d2-7e9c-99ee-85ee49edce53",
     "turn": "1"
    },
    "tessera": {
     "grounding": {
      "outcome": "verified",
      "figures": [
       {
        "text": "12.98 %",
        "value": 0.1298,
        "start": 79,
        "end": 86,
        "state": "verified",
        "cells": [
         {
          "callId": "call-3",
          "tool": "load-data",
          "evidence": "/intelligence/api/evidence/01a21e2f-4738-7000-be88-accf15ca02ac",
          "row": 1,
          "column": "MAVERICK_RATE"
         }
        ]
       },
       {
        "text": "8.05 %",
        "value": 0.0805,
        "start": 98,
        "end": 104,
        "state": "verified",
        "cells": [
         {
          "callId": "call-3",
          "tool": "load-data",
          "evidence": "/intelligence/api/evidence/01a21e2f-4738-7000-be88-accf15ca02ac",
          "row": 2,
          "column": "MAVERICK_RATE"
         }
        ]
       }
      ]
     }
    }
   }
  }
 },
 "agents.completions.models": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "draft": false
  },
  "further": {},
  "answers": {
   "application/json": {
    "object": "list",
    "data": [
     {
      "id": "p2p-analyst",
      "object": "model",
      "created": 0,
      "owned_by": "meridian"
     }
    ]
   }
  }
 },
 "agents.conversations.list": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "pageSize": 1
  },
  "further": {
   "after": "01a207da-6f33-76b7-b94a-3e1fedc7a5d3"
  },
  "answers": {
   "application/json": {
    "conversations": [
     {
      "conversationId": "01a207da-6f33-76b7-b94a-3e1fedc7a5d3",
      "agentId": "p2p-analyst",
      "createdAt": "2026-11-23T10:01:25.555Z",
      "changedAt": "2026-11-23T10:01:25.671Z",
      "turnCount": 1,
      "firstMessage": "What is the maverick rate by plant?",
      "state": "completed"
     }
    ],
    "next": "01a207da-6f33-76b7-b94a-3e1fedc7a5d3"
   }
  }
 },
 "agents.completions.model": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "model_id": "p2p-analyst",
   "draft": false
  },
  "further": {},
  "answers": {
   "application/json": {
    "id": "p2p-analyst",
    "object": "model",
    "created": 0,
    "owned_by": "meridian"
   }
  }
 },
 "agents.conversations.read": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "conversation_id": "01a21e2f-4277-748e-b1fe-11d28a9e91c9",
   "fromTurn": 1,
   "turnsMax": 1
  },
  "further": {},
  "answers": {
   "application/json": {
    "conversationId": "01a21e2f-4277-748e-b1fe-11d28a9e91c9",
    "agentId": "p2p-analyst",
    "createdAt": "2026-11-27T18:05:43.415Z",
    "changedAt": "2026-11-27T18:05:44.218Z",
    "turnCount": 1,
    "firstMessage": "What is the maverick rate by plant?",
    "state": "completed",
    "turns": [
     {
      "turn": 1,
      "state": "completed",
      "stop": "answered",
      "message": "What is the maverick rate by plant?",
      "text": "Maverick buying by Plant:\n\n| Plant | Maverick buying |\n| --- | ---: |\n| 2010 | 12.98 % |\n| 3010 | 8.05 % |\n| 1010 | 1.55 % |\n| 1020 | 0.99 % |",
      "agentVersion": "1",
      "model": "builtin/planner",
      "usage": {
       "inputTokens": 30810,
       "outputTokens": 223
      },
      "startedAt": "2026-11-27T18:05:43.416Z",
      "endedAt": "2026-11-27T18:05:44.217Z",
      "steps": [
       {
        "kind": "model",
        "at": "2026-11-27T18:05:43.421Z",
        "durationMs": 67.763,
        "usage": {
         "inputTokens": 377,
         "outputTokens": 98
        }
       },
       {
        "kind": "tool",
        "at": "2026-11-27T18:05:43.491Z",
        "durationMs": 16.072,
        "callId": "call-1",
        "tool": "get-knowledge-model",
        "arguments": {},
        "result": "{\"id\":\"p2p.base-km\",\"name\":\"Purchase to pay\",\"description\":\"What Meridian Coatings orders, receives, is invoiced for and pays.\",\"records\":[{\"id\":\"PURCHASE_ORDER\",\"name\":\"Purchase order\",\"description\":\"An order of one plant to one supplier.\",\"synonyms\":[\"Bestellung\",\"PO\",\"Einkaufsbestellung\",\"Auftrag…",
        "isError": false
       }
      ]
     }
    ]
   }
  }
 },
 "agents.conversations.delete": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "conversation_id": "01a207da-6b52-7100-82a0-7d807023f7fa"
  },
  "further": {},
  "answers": {
   "application/json": {
    "deleted": "01a207da-6b52-7100-82a0-7d807023f7fa"
   }
  }
 },
 "agents.tools.spec": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "draft": false,
   "version": "3.1"
  },
  "further": {},
  "answers": {
   "application/json": {
    "openapi": "3.1.1",
    "info": {
     "title": "Purchase to pay analyst",
     "description": "Answers questions about purchase to pay at Meridian Coatings with figures, and finds how its work is done.",
     "version": "1"
    },
    "servers": [
     {
      "url": "http://localhost:8080/intelligence/api/ai/agents/p2p-analyst"
     }
    ],
    "tags": [
     {
      "name": "tools"
     }
    ],
    "security": [
     {
      "bearer": []
     }
    ],
    "paths": {
     "/tools/search-data": {
      "post": {
       "operationId": "search-data"
      }
     },
     "/tools/load-data": {
      "post": {
       "operationId": "load-data"
      }
     },
     "/tools/get-knowledge-model": {
      "post": {
       "operationId": "get-knowledge-model"
      }
     },
     "/tools/get-insights": {
      "post": {
       "operationId": "get-insights"
      }
     },
     "/tools/find-content": {
      "post": {
       "operationId": "find-content"
      }
     }
    },
    "components": {
     "headers": {
      "X-RateLimit-Limit": {
       "description": "Request limit per hour."
      }
     },
     "responses": {
      "BadRequest": {
       "description": "The arguments do not fit; `detail` says what was expected."
      }
     },
     "securitySchemes": {
      "bearer": {
       "type": "http"
      }
     },
     "schemas": {
      "Problem": {
       "type": "object"
      }
     }
    }
   }
  }
 },
 "agents.tools.execute": {
  "parameters": {
   "agent_id": "p2p-analyst",
   "tool_id": "load-data",
   "draft": false
  },
  "further": {},
  "body": {
   "columns": [
    "PURCHASE_ORDER.PLANT",
    "MAVERICK_RATE"
   ],
   "order_by": "MAVERICK_RATE",
   "ascending": false,
   "limit": 2
  },
  "answers": {
   "application/json": {
    "page": 0,
    "page_size": 50,
    "total": 2,
    "data_frame_content": {
     "data": [
      {
       "PURCHASE_ORDER.PLANT": "2010",
       "MAVERICK_RATE": 0.1297709923664122
      },
      {
       "PURCHASE_ORDER.PLANT": "3010",
       "MAVERICK_RATE": 0.08045977011494253
      }
     ],
     "schema": [
      {
       "id": "PURCHASE_ORDER.PLANT",
       "type": "STRING",
       "displayName": "Plant"
      },
      {
       "id": "MAVERICK_RATE",
       "type": "FLOAT",
       "displayName": "Maverick buying",
       "format": ".1%"
      }
     ]
    }
   }
  }
 },
 "agents.definitions.export": {
  "parameters": {
   "team": "meridian"
  },
  "further": {},
  "answers": {
   "application/json": {
    "agents": [
     {
      "id": "p2p-analyst",
      "version": 1,
      "digest": "1eb7eca758d880c05e27f2f066bfbc4990d7c5dec916977872efed9547832508",
      "publishedAt": "2026-11-23T10:01:07.106Z",
      "definition": {
       "kind": "Agent",
       "id": "p2p-analyst",
       "name": "Purchase to pay analyst",
       "description": "Answers questions about purchase to pay at Meridian Coatings with figures, and finds how its work is done.",
       "instructions": "You answer questions about purchase to pay at Meridian Coatings, from the order to its last payment.\nFind ids with search-data; ask load-data for figures and get-insights for what drives them. How work should be done, and who is responsible, is said by find-content.\nGive each figure with its unit, a…",
       "model": {
        "provider": "builtin"
       },
       "tools": [
        {
         "asset": "p2p-tools",
         "tools": [
          "search-data",
          "load-data"
         ]
        }
       ]
      },
      "draft": {
       "kind": "Agent",
       "id": "p2p-analyst",
       "name": "Purchase to pay analyst",
       "description": "Answers questions about purchase to pay at Meridian Coatings with figures, and finds how its work is done.",
       "instructions": "You answer questions about purchase to pay at Meridian Coatings, from the order to its last payment.\nFind ids with search-data; ask load-data for figures and get-insights for what drives them. How work should be done, and who is responsible, is said by find-content.\nGive each figure with its unit, a…",
       "model": {
        "provider": "builtin"
       },
       "tools": [
        {
         "asset": "p2p-tools",
         "tools": [
          "search-data",
          "load-data"
         ]
        }
       ]
      }
     }
    ]
   }
  }
 },
 "agents.definitions.apply": {
  "parameters": {
   "team": "meridian",
   "idempotency-key": "d3ddc427-9d26-46f7-bde3-c3175e479778"
  },
  "further": {},
  "body": {
   "definitions": [
    {
     "kind": "Agent",
     "id": "helpdesk",
     "name": "Helpdesk",
     "instructions": "You say how the work should be done.",
     "tools": [
      {
       "asset": "p2p-tools",
       "tools": [
        "find-content"
       ]
      }
     ]
    }
   ],
   "mode": "publish"
  },
  "answers": {
   "application/json": {
    "definitions": [
     {
      "kind": "Agent",
      "id": "helpdesk",
      "state": "created",
      "version": 1,
      "changes": []
     }
    ]
   }
  }
 },
 "agents.agents.delete": {
  "parameters": {
   "team": "meridian",
   "agentId": "helpdesk"
  },
  "further": {},
  "answers": {
   "application/json": {
    "deleted": "helpdesk"
   }
  }
 },
 "gateway.status.read": {
  "parameters": {},
  "further": {},
  "answers": {
   "application/json": {
    "version": "0.1.0",
    "uptimeSeconds": 28,
    "dependencies": {
     "nats": "up",
     "inbox": "up",
     "database": "up",
     "writes": "up",
     "schema": "up",
     "replicas": "up",
     "clock": "up"
    },
    "services": {
     "content-repo": "up",
     "knowledge-models": "up",
     "tool-gateway": "up",
     "agents": "up"
    }
   }
  }
 },
 "gateway.me.read": {
  "parameters": {},
  "further": {},
  "answers": {
   "application/json": {
    "kind": "key",
    "subject": "key:kpFSMoZISiVt",
    "team": "meridian",
    "teams": [
     {
      "team": "meridian",
      "name": "Meridian Coatings"
     }
    ],
    "displayName": "demo",
    "scopes": [
     "content:read",
     "content:write"
    ],
    "furtherScopes": [
     "finance:read",
     "purchasing:all"
    ],
    "attributes": [],
    "limit": {
     "hourly": 2000000000,
     "remaining": 1999999887,
     "resetsAt": "2026-11-27T19:00:00Z"
    }
   }
  }
 },
 "gateway.teams.list": {
  "parameters": {
   "after": "a",
   "pageSize": 2
  },
  "further": {},
  "answers": {
   "application/json": {
    "teams": [
     {
      "team": "meridian",
      "name": "Meridian Coatings",
      "grants": {
       "scopes": [
        "content:read",
        "content:write"
       ],
       "furtherScopes": [],
       "attributes": {},
       "hourlyLimit": 6000
      }
     },
     {
      "team": "northgate",
      "name": "Northgate",
      "grants": {
       "scopes": [
        "content:read",
        "content:write"
       ],
       "furtherScopes": [],
       "attributes": {},
       "hourlyLimit": 6000
      }
     }
    ],
    "next": "northgate"
   }
  }
 },
 "gateway.teams.read": {
  "parameters": {
   "team": "meridian"
  },
  "further": {},
  "answers": {
   "application/json": {
    "team": "meridian",
    "name": "Meridian Coatings",
    "grants": {
     "scopes": [
      "content:read",
      "content:write"
     ],
     "furtherScopes": [],
     "attributes": {},
     "hourlyLimit": 6000
    }
   }
  }
 },
 "gateway.usage.read": {
  "parameters": {
   "team": "meridian"
  },
  "further": {},
  "answers": {
   "application/json": {
    "hours": [
     {
      "startsAt": "2026-11-23T04:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T05:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T06:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T07:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T08:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T09:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T10:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T11:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T12:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T13:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T14:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T15:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T16:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T17:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T18:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T19:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T20:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T21:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T22:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-23T23:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-24T00:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-24T01:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-24T02:00:00.000Z",
      "requests": 0
     },
     {
      "startsAt": "2026-11-24T03:00:00.000Z",
      "requests": 0
     }
    ],
    "credentials": [
     {
      "credential": "key:gCNzzuq0plNE",
      "hourlyLimit": 2000000000,
      "thisHour": 0,
      "last24Hours": 0
     }
    ]
   }
  }
 },
 "gateway.teams.write": {
  "parameters": {
   "team": "trial"
  },
  "further": {},
  "body": {
   "name": "Trial",
   "grants": {
    "scopes": [
     "content:read",
     "knowledge-models:read"
    ],
    "hourlyLimit": 6000
   }
  },
  "answers": {
   "application/json": {
    "team": "trial",
    "name": "Trial",
    "grants": {
     "scopes": [
      "content:read",
      "knowledge-models:read"
     ],
     "furtherScopes": [],
     "attributes": {},
     "hourlyLimit": 6000
    }
   }
  }
 },
 "gateway.keys.create": {
  "parameters": {
   "idempotency-key": "897fd7af-8196-4737-95c2-0570df9ea0f1"
  },
  "further": {},
  "body": {
   "team": "meridian",
   "name": "Monthly report",
   "scopes": [
    "knowledge-models:read"
   ],
   "hourlyLimit": 600,
   "attributes": {
    "companyCodes": [
     "1000"
    ]
   },
   "expiresAt": "2030-12-31T00:00:00Z"
  },
  "answers": {
   "application/json": {
    "keyId": "A5deNOv3c343",
    "key": "tsk_<id>_<secret>_<checksum>"
   }
  }
 },
 "gateway.keys.list": {
  "parameters": {
   "team": "meridian",
   "pageSize": 1
  },
  "further": {
   "after": "jZ9Y8eEGaWc0"
  },
  "answers": {
   "application/json": {
    "team": "meridian",
    "keys": [
     {
      "keyId": "jZ9Y8eEGaWc0",
      "name": "Monthly report",
      "hourlyLimit": 600,
      "madeBy": "operators",
      "scopes": [
       "knowledge-models:read"
      ],
      "furtherScopes": [],
      "attributes": {
       "companyCodes": [
        "1000"
       ]
      },
      "createdAt": "2026-11-28T12:19:36.593Z",
      "expiresAt": "2030-12-31T00:00:00.000Z"
     }
    ],
    "next": "jZ9Y8eEGaWc0"
   }
  }
 },
 "gateway.roles.write": {
  "parameters": {
   "team": "meridian",
   "role": "buyer"
  },
  "further": {
   "if-match": "*",
   "if-none-match": "*"
  },
  "body": {
   "description": "Reads processes and asks agents.",
   "scopes": [
    "content:read",
    "agents:converse"
   ],
   "furtherScopes": []
  },
  "answers": {
   "application/json": {
    "name": "buyer",
    "scopes": [
     "content:read",
     "agents:converse"
    ],
    "description": "Reads processes and asks agents.",
    "furtherScopes": [],
    "builtIn": false
   }
  }
 },
 "gateway.roles.read": {
  "parameters": {
   "team": "meridian",
   "role": "buyer"
  },
  "further": {},
  "answers": {
   "application/json": {
    "name": "buyer",
    "scopes": [
     "content:read",
     "agents:converse"
    ],
    "description": "Reads processes and asks agents.",
    "furtherScopes": [],
    "builtIn": false
   }
  }
 },
 "gateway.roles.list": {
  "parameters": {
   "team": "meridian"
  },
  "further": {},
  "answers": {
   "application/json": {
    "roles": [
     {
      "name": "viewer",
      "scopes": [
       "content:read",
       "knowledge-models:read"
      ],
      "description": "Reads content and data.",
      "furtherScopes": [],
      "builtIn": true
     },
     {
      "name": "analyst",
      "scopes": [
       "content:read",
       "knowledge-models:read"
      ],
      "description": "Reads content and data, calls tools and talks to agents.",
      "furtherScopes": [],
      "builtIn": true
     }
    ]
   }
  }
 },
 "gateway.members.write": {
  "parameters": {
   "team": "meridian",
   "memberId": "anna.weber"
  },
  "further": {
   "if-match": "*",
   "if-none-match": "*"
  },
  "body": {
   "displayName": "Anna Weber",
   "roles": [
    "analyst",
    "buyer"
   ],
   "identity": {
    "issuer": "https://login.example.com/realms/meridian",
    "subject": "5f2c1c9e-0f6c-4d0e-8a2b-7d2f6b0f9c11"
   }
  },
  "answers": {
   "application/json": {
    "memberId": "anna.weber",
    "displayName": "Anna Weber",
    "identity": {
     "issuer": "https://login.example.com/realms/meridian",
     "subject": "5f2c1c9e-0f6c-4d0e-8a2b-7d2f6b0f9c11"
    },
    "roles": [
     "analyst",
     "buyer"
    ],
    "furtherScopes": [],
    "attributes": {},
    "createdAt": "2026-11-28T12:11:13.626Z",
    "grants": {
     "scopes": [
      "content:read",
      "knowledge-models:read"
     ],
     "furtherScopes": [],
     "attributes": {}
    }
   }
  }
 },
 "gateway.members.read": {
  "parameters": {
   "team": "meridian",
   "memberId": "anna.weber"
  },
  "further": {},
  "answers": {
   "application/json": {
    "memberId": "anna.weber",
    "displayName": "Anna Weber",
    "identity": {
     "issuer": "https://login.example.com/realms/meridian",
     "subject": "5f2c1c9e-0f6c-4d0e-8a2b-7d2f6b0f9c11"
    },
    "roles": [
     "analyst",
     "buyer"
    ],
    "furtherScopes": [],
    "attributes": {},
    "createdAt": "2026-11-23T20:15:54.194Z",
    "grants": {
     "scopes": [
      "content:read",
      "knowledge-models:read"
     ],
     "furtherScopes": [],
     "attributes": {}
    }
   }
  }
 },
 "gateway.members.list": {
  "parameters": {
   "team": "meridian",
   "after": "a",
   "pageSize": 2
  },
  "further": {},
  "answers": {
   "application/json": {
    "members": [
     {
      "memberId": "anna.weber",
      "displayName": "Anna Weber",
      "identity": {
       "issuer": "https://login.example.com/realms/meridian",
       "subject": "5f2c1c9e-0f6c-4d0e-8a2b-7d2f6b0f9c11"
      },
      "roles": [
       "analyst",
       "buyer"
      ],
      "furtherScopes": [],
      "attributes": {},
      "createdAt": "2026-11-23T20:15:54.194Z",
      "grants": {
       "scopes": [
        "content:read",
        "knowledge-models:read"
       ],
       "furtherScopes": [],
       "attributes": {}
      }
     },
     {
      "memberId": "anton.berg",
      "displayName": "Anton Berg",
      "roles": [
       "analyst"
      ],
      "furtherScopes": [],
      "attributes": {},
      "createdAt": "2026-11-23T20:15:40.194Z",
      "grants": {
       "scopes": [
        "content:read",
        "knowledge-models:read"
       ],
       "furtherScopes": [],
       "attributes": {}
      }
     }
    ],
    "next": "anton.berg"
   }
  }
 },
 "gateway.members.delete": {
  "parameters": {
   "team": "meridian",
   "memberId": "anna.weber",
   "if-match": "*"
  },
  "further": {},
  "answers": {
   "application/json": {
    "deleted": "anna.weber"
   }
  }
 },
 "gateway.roles.delete": {
  "parameters": {
   "team": "meridian",
   "role": "buyer",
   "if-match": "*"
  },
  "further": {},
  "answers": {
   "application/json": {
    "deleted": "buyer"
   }
  }
 },
 "gateway.accessChanges.list": {
  "parameters": {
   "team": "meridian",
   "pageSize": 2
  },
  "further": {
   "after": "01a20a0d-01cb-774e-85b4-231bfb4485f2"
  },
  "answers": {
   "application/json": {
    "changes": [
     {
      "changeId": "01a20a0d-0217-7897-95d9-99dde99a6f93",
      "changedAt": "2026-11-23T20:15:54.364Z",
      "subject": "key:0Sknxa1klZuJ",
      "subjectTeam": "operators",
      "requestId": "ef5ddd19-b08e-484b-845b-ebb011a86655",
      "action": "role.removed",
      "target": "buyer",
      "before": {
       "description": "Reads processes and asks agents.",
       "scopes": [
        "content:read",
        "agents:converse"
       ],
       "furtherScopes": []
      }
     },
     {
      "changeId": "01a20a0d-01cb-774e-85b4-231bfb4485f2",
      "changedAt": "2026-11-23T20:15:54.300Z",
      "subject": "key:0Sknxa1klZuJ",
      "subjectTeam": "operators",
      "requestId": "54973328-3356-4ccb-a413-dfaf76703ad2",
      "action": "member.removed",
      "target": "anna.weber",
      "before": {
       "displayName": "Anna Weber",
       "identity": {
        "issuer": "https://login.example.com/realms/meridian",
        "subject": "5f2c1c9e-0f6c-4d0e-8a2b-7d2f6b0f9c11"
       },
       "roles": [
        "analyst",
        "buyer"
       ],
       "furtherScopes": [],
       "attributes": {}
      }
     }
    ],
    "next": "01a20a0d-01cb-774e-85b4-231bfb4485f2"
   }
  }
 },
 "gateway.keys.revoke": {
  "parameters": {
   "team": "meridian",
   "keyId": "A5deNOv3c343",
   "idempotency-key": "701a4cab-32ca-42e5-8ed0-06cb30ab79f4"
  },
  "further": {},
  "answers": {
   "application/json": {
    "keyId": "A5deNOv3c343",
    "team": "meridian",
    "revoked": true
   }
  }
 },
 "gateway.members.setPassword": {
  "parameters": {
   "team": "meridian",
   "memberId": "ben.lang"
  },
  "further": {},
  "body": {
   "password": "correct horse battery staple"
  },
  "answers": {
   "application/json": {
    "memberId": "ben.lang"
   }
  }
 },
 "gateway.sessions.start": {
  "parameters": {},
  "further": {},
  "body": {
   "apiKey": "tsk_<id>_<secret>_<checksum>"
  },
  "answers": {
   "application/json": {
    "sessionId": "01a20a0d-0301-7c14-9a3e-5d2f6b0f9c11",
    "createdAt": "2026-11-23T20:15:54.700Z",
    "lastSeenAt": "2026-11-23T20:15:54.700Z",
    "endsAt": "2026-11-30T20:15:54.700Z",
    "userAgent": "node",
    "current": true
   }
  }
 },
 "gateway.sessions.list": {
  "parameters": {},
  "further": {},
  "answers": {
   "application/json": {
    "sessions": [
     {
      "sessionId": "01a20a0d-0301-7c14-9a3e-5d2f6b0f9c11",
      "createdAt": "2026-11-23T20:15:54.700Z",
      "lastSeenAt": "2026-11-23T20:15:54.700Z",
      "endsAt": "2026-11-30T20:15:54.700Z",
      "userAgent": "node",
      "current": false
     }
    ]
   }
  }
 },
 "gateway.sessions.endOwn": {
  "parameters": {
   "sessionId": "01a20a0d-0301-7c14-9a3e-5d2f6b0f9c11"
  },
  "further": {},
  "answers": {
   "application/json": {
    "ended": "01a20a0d-0301-7c14-9a3e-5d2f6b0f9c11"
   }
  }
 },
 "gateway.sessions.end": {
  "parameters": {},
  "further": {},
  "answers": {
   "application/json": {
    "ended": "01a20a0d-0355-7f02-8c41-2b6a7d9e0f13"
   }
  }
 },
 "gateway.clientGrants.list": {
  "parameters": {},
  "further": {},
  "answers": {
   "application/json": {
    "grants": [
     {
      "grantId": "c7f4fa4d-ef93-452b-86cf-546df7b3afa4",
      "clientId": "d71d3430-897f-48d7-80fd-d1823f02644b",
      "clientName": "Desktop App",
      "resource": "http://localhost:8080",
      "scopes": [
       "tools:execute"
      ],
      "createdAt": "2026-11-28T12:11:14.654Z",
      "endsAt": "2027-05-27T12:11:14.654Z"
     },
     {
      "grantId": "2b256e54-6f4a-4d1a-8134-49ac4115981a",
      "clientId": "1bbdda73-d069-41ab-9ee1-b0ff9c20a031",
      "clientName": "Notebook",
      "resource": "http://localhost:8080",
      "scopes": [
       "tools:execute"
      ],
      "createdAt": "2026-11-28T12:11:14.529Z",
      "endsAt": "2027-05-27T12:11:14.529Z"
     }
    ]
   }
  }
 },
 "gateway.clientGrants.endOwn": {
  "parameters": {
   "grantId": "581ee690-002e-4906-bcc1-7d7a4f9a8794"
  },
  "further": {},
  "answers": {
   "application/json": {
    "ended": "581ee690-002e-4906-bcc1-7d7a4f9a8794"
   }
  }
 },
 "gateway.teamClientGrants.list": {
  "parameters": {
   "team": "meridian",
   "memberId": "anton.berg",
   "pageSize": 1
  },
  "further": {
   "after": "c7f4fa4d-ef93-452b-86cf-546df7b3afa4"
  },
  "answers": {
   "application/json": {
    "grants": [
     {
      "grantId": "8ce5e04a-0cb0-4e03-9217-e3f62d1e4308",
      "clientId": "4e3a1d8d-2c5b-48a8-8b83-d2a5fef7503f",
      "clientName": "Desktop App",
      "resource": "http://localhost:8080",
      "scopes": [
       "tools:execute"
      ],
      "createdAt": "2026-11-28T12:11:15.051Z",
      "endsAt": "2027-05-27T12:11:15.051Z",
      "memberId": "anton.berg"
     }
    ],
    "next": "8ce5e04a-0cb0-4e03-9217-e3f62d1e4308"
   }
  }
 },
 "gateway.teamClientGrants.end": {
  "parameters": {
   "team": "meridian",
   "grantId": "27c1d7b0-4f0c-4c34-9c0f-2f1d9d7f6b55"
  },
  "further": {},
  "answers": {
   "application/json": {
    "ended": "27c1d7b0-4f0c-4c34-9c0f-2f1d9d7f6b55"
   }
  }
 },
 "gateway.teamSessions.list": {
  "parameters": {
   "team": "meridian",
   "memberId": "anton.berg",
   "pageSize": 1
  },
  "further": {
   "after": "01a22211-1305-7b4f-88eb-37a7d7b0cda4"
  },
  "answers": {
   "application/json": {
    "sessions": [
     {
      "sessionId": "01a22211-1647-7f00-8ad3-82f11c6ae29c",
      "userAgent": "node",
      "memberId": "anton.berg",
      "createdAt": "2026-11-28T12:11:14.872Z",
      "lastSeenAt": "2026-11-28T12:11:14.872Z",
      "endsAt": "2026-12-05T12:11:14.872Z"
     }
    ],
    "next": "01a22211-1647-7f00-8ad3-82f11c6ae29c"
   }
  }
 },
 "gateway.teamSessions.end": {
  "parameters": {
   "team": "meridian",
   "sessionId": "01a20a0d-02c4-7d1e-8b3a-41c9e07d52aa"
  },
  "further": {},
  "answers": {
   "application/json": {
    "ended": "01a20a0d-02c4-7d1e-8b3a-41c9e07d52aa"
   }
  }
 },
 "gateway.members.endAccess": {
  "parameters": {
   "team": "meridian",
   "memberId": "anton.berg"
  },
  "further": {},
  "answers": {
   "application/json": {
    "sessions": 1,
    "clientGrants": 2
   }
  }
 }
};
