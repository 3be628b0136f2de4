import { catalogue } from '../../language/catalogue.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';

export const evidenceMessages = catalogue({ en, de, es });
