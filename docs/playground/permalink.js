// Packs what was pasted into the fragment of the page's address, and unpacks it. Browsers send no fragment to any
// server.

import { Buffer } from 'buffer';

/** @typedef {{document: string, log: string, target: string, as: string}} Pasted */

const PREFIX = '#text=';
/** Anybody can make a link: it unpacks to no more than this. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * @param {Pasted} pasted
 * @returns {Promise<string>} the fragment, with its `#`
 */
export async function packFragment(pasted) {
  const packed = new Blob([JSON.stringify(pasted)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const base64 = Buffer.from(await new Response(packed).arrayBuffer()).toString('base64');
  return PREFIX + base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * @param {string} fragment with its `#`
 * @returns {Promise<Pasted | undefined>} undefined for a fragment of another kind
 * @throws {Error} where it is damaged or too large
 */
export async function unpackFragment(fragment) {
  if (!fragment.startsWith(PREFIX)) return undefined;
  try {
    const base64 = fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/');
    const packed = new Blob([Buffer.from(base64, 'base64')]);
    const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const chunks = [];
    let length = 0;
    for (let next = await reader.read(); next.value; next = await reader.read()) {
      length += next.value.length;
      if (length > MAX_BYTES) throw new RangeError();
      chunks.push(next.value);
    }
    const { document = '', log = '', target = '', as = '' } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return { document: String(document), log: String(log), target: String(target), as: String(as) };
  } catch (error) {
    const reason = error instanceof RangeError ? `its text is longer than ${MAX_BYTES / 2 ** 20} MB` : 'it is damaged';
    throw new Error(`the text of this link cannot be shown: ${reason}`);
  }
}
