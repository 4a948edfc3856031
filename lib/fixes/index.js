// Every fix by id: for those who check rules, and for the documentation.

import { FIX_IDS, loadFixes } from './load-fixes.js';

export const fixes = await loadFixes(FIX_IDS);
