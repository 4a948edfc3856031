// Table of published vulnerabilities of CouchDB and the versions that have them (src/docs/src/cve of CouchDB 3.5.2).
// Those before 2017 are left out: the versions they concern have the later ones, too.

/**
 * @typedef {object} KnownFault
 * @property {string} id
 * @property {boolean} isSevere whether strangers or users of the database become admins, or admins run programs on the machine
 * @property {{from: string, before: string}[]} ranges versions from the one up to, and without, the other
 */

/** @type {KnownFault[]} */
export const FIXED_FAULTS = [
  {
    id: 'CVE-2017-12635',
    isSevere: true,
    ranges: [
      { from: '0', before: '1.7.1' },
      { from: '2.0', before: '2.1.1' },
    ],
  },
  {
    id: 'CVE-2017-12636',
    isSevere: true,
    ranges: [
      { from: '0', before: '1.7.1' },
      { from: '2.0', before: '2.1.1' },
    ],
  },
  {
    id: 'CVE-2018-8007',
    isSevere: true,
    ranges: [
      { from: '0', before: '1.7.2' },
      { from: '2.0', before: '2.1.2' },
    ],
  },
  { id: 'CVE-2018-11769', isSevere: true, ranges: [{ from: '0', before: '2.2' }] },
  { id: 'CVE-2018-17188', isSevere: true, ranges: [{ from: '0', before: '2.3' }] },
  { id: 'CVE-2020-1955', isSevere: false, ranges: [{ from: '3.0.0', before: '3.0.1' }] },
  { id: 'CVE-2021-38295', isSevere: false, ranges: [{ from: '0', before: '3.1.2' }] },
  { id: 'CVE-2022-24706', isSevere: true, ranges: [{ from: '0', before: '3.2.2' }] },
  {
    id: 'CVE-2023-26268',
    isSevere: false,
    ranges: [
      { from: '0', before: '3.2.3' },
      { from: '3.3', before: '3.3.2' },
    ],
  },
  { id: 'CVE-2023-45725', isSevere: false, ranges: [{ from: '0', before: '3.3.3' }] },
];
