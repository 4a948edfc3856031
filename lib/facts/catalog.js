// Every fact that rules may name: for those who check rules, and for the documentation.

import { KINDS, loadFacts } from './load-facts.js';

export const factCatalog = await loadFacts(KINDS);
