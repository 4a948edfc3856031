// What nearly every `lint` needs, named in one place: `bin` loads it in one go where Node can, before `main` asks for it
// part by part. Does nothing itself.

import '../facts/design-doc-background.js';
import '../facts/design-doc-language.js';
import '../facts/design-doc.js';
import '../facts/function-needs.js';
import '../facts/function.js';
import '../facts/reduce-proof.js';
import '../facts/reduce.js';
import '../facts/run.js';
import '../facts/view-duplicates.js';
import '../facts/view-map.js';
import '../facts/view-plain.js';
import '../facts/view-reduce-requests.js';
import '../facts/view-requests.js';
import '../facts/view-rows.js';
import '../fixes/attach.js';
import '../proof/prove-views.js';
import '../reports/text.js';
import '../sources/design-docs/json.js';
import './commands/lint.js';
import './main.js';
import '../run/proof-cache.js';
