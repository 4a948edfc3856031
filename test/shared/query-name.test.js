// The phrase for a form of query: what it selects, sorts and returns, from its name in the digest.

import { expect, test } from 'vitest';
import { wordQuery } from '../../lib/shared/query-name.js';

test.each([
  [
    'POST shop/_find?find.selector=customer:eq,status:eq&limit',
    'POST shop/_find with customer = … and status = …, limit',
  ],
  [
    'POST shop/_find?find.fields=_id,total&find.selector=total:gt&find.sort=-date,total&skip',
    'POST shop/_find with total > …, fields _id and total, sort by date desc and total, skip',
  ],
  [
    'POST shop/_find?find.selector=a:in,b:nin,c:exists,d:missing,e:beginsWith,f:regex',
    'POST shop/_find with a in […], b not in […], c exists, d is missing, e begins with … and f matches …',
  ],
  ['POST shop/_find?find.selector=*:or,tags:elemMatch', 'POST shop/_find with $or and tags $elemMatch'],
  ['POST shop/_find?find.selector=a.b:constructor', 'POST shop/_find with a.b $constructor'],
  ['POST shop/_find?find.selector=none', 'POST shop/_find with an empty selector'],
  ['POST shop/_find?find.fields=?&find.selector=?', 'POST shop/_find with a large selector, many fields'],
  [
    'POST shop/_find?find.bookmark&find.hint_taken=true&find.no_fallback&find.r=2&find.selector=a:ne&find.use_index=x/y',
    'POST shop/_find with a != …, bookmark, allow_fallback=false, r=2, use_index x/y',
  ],
  ['POST shop/_find', 'POST shop/_find'],
  ['POST shop/_find this.shop.find(…)', 'POST shop/_find this.shop.find(…)'],
  ['GET shop/{document}', 'GET shop/{document}'],
  [
    'GET shop/_design/app/_view/by_status?include_docs=true&key&limit',
    'GET shop/_design/app/_view/by_status with include_docs=true, key, limit',
  ],
  ['GET shop/_changes?feed=normal (replication)', 'GET shop/_changes with feed=normal (replication)'],
])('%s', (name, phrase) => {
  expect(wordQuery(name)).toBe(phrase);
});
