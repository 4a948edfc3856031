// Profiles views one after the other, so that no measurement disturbs another. Where no documents are given, each view
// gets some that its map emits.

import { fitDocuments } from '../../../proof/synthesis/fit-documents.js';
import { openSandbox } from '../../../sandbox/sandbox.js';
import { libraryTree } from '../source-texts.js';
import { limitsFor } from './orders.js';
import { emptyProfile, profileView } from './profile-view.js';

/** @import { Sandbox } from '../../../sandbox/sandbox.js' */
/** @import { ViewProfile } from '../profile.js' */
/** @import { GivenDocument, GivenView, ProfileOptions } from './profile-view.js' */

/** @typedef {{seed: string, count: number}} Making documents that are to be made */

/** Text that no map reads, in each document that is made up: about as much as documents usually have. */
const PADDING_BYTES = 300;

/**
 * @param {GivenView[]} views
 * @param {GivenDocument[] | Making} documents
 * @param {Omit<ProfileOptions, 'sandbox'> & {onView: (view: GivenView, at: number) => void}} options `onView` is called before each view
 * @returns {Promise<ViewProfile[]>} fewer where the signal ended it
 */
export async function profileViews(views, documents, { onView, ...options }) {
  const sandbox = openSandbox();
  /** @type {ViewProfile[]} */
  const profiles = [];
  try {
    for (const [at, view] of views.entries()) {
      if (options.signal.aborted) break;
      onView(view, at);
      const made = Array.isArray(documents) ? { documents, notes: [] } : await makeDocuments(view, documents, sandbox);
      if ('reason' in made) profiles.push(withoutDocuments(view, made.reason));
      else {
        const own = { ...options, sandbox: sandbox.forView(limitsFor(options)) };
        profiles.push({ ...(await profileView(view, made.documents, own)), notes: made.notes });
      }
    }
  } finally {
    await sandbox.close();
  }
  return profiles;
}

/**
 * @param {GivenView} view
 * @param {Making} making
 * @param {Sandbox} sandbox
 * @returns {Promise<{documents: GivenDocument[], notes: string[]} | {reason: string}>}
 */
async function makeDocuments({ map, libraries }, { seed, count }, sandbox) {
  const texts = libraries.map(({ text }) => text);
  const own = sandbox.forView();
  const fitted = await fitDocuments({
    map: map.text,
    seed,
    count,
    paddingBytes: PADDING_BYTES,
    sandbox: { map: (request) => own.map({ ...request, libraries: libraryTree(libraries, texts) }) },
  });
  if ('reason' in fitted) return fitted;
  const share = `its map emits ${Math.round(fitted.emitShare * 100)} % of them`;
  return {
    documents: fitted.documents.map((document) => ({ id: document._id, text: JSON.stringify(document) })),
    notes: [...fitted.notes, share],
  };
}

/**
 * @param {GivenView} view
 * @param {string} reason
 * @returns {ViewProfile}
 */
function withoutDocuments(view, reason) {
  const map = { ...emptyProfile(view, 'map', view.map, view.libraries, []), fault: `${reason}; add some with --docs` };
  return { name: view.name, documents: 0, notes: [], map };
}
