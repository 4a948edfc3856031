// The other half of the families: a file is run by one processor, and the attacks take longer than any other.

import { testFamilies } from './test-families.js';

testFamilies((_, at) => at % 2 === 1);
