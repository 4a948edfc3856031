// Reads sizes of memory as Compose and Kubernetes write them.

/** Powers of 1024, with a `b` behind it or not (compose-spec, "Specifying byte values"). */
const COMPOSE = /^(\d+(?:\.\d+)?)\s*([bkmg]?)b?$/i;
/** Powers of 1000, and of 1024 with an `i` (kubernetes.io, "Resource units"). */
const KUBERNETES = /^(\d+(?:\.\d+)?)([kMGT]i?|Ki)?$/;

/**
 * @param {unknown} size `2g`, `512Mi`, or a number of bytes
 * @param {'compose' | 'kubernetes'} platform
 * @returns {number | undefined} bytes; undefined where it is none, or comes from a variable
 */
export function bytesOf(size, platform) {
  const [, number = '', unit = ''] = (platform === 'compose' ? COMPOSE : KUBERNETES).exec(String(size ?? '')) ?? [];
  if (number === '') return undefined;
  const base = platform === 'compose' || unit.endsWith('i') ? 1024 : 1000;
  return Math.round(Number(number) * base ** Math.max(0, 'bkmgt'.indexOf(unit.charAt(0).toLowerCase() || 'b')));
}
