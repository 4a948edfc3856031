// The playground: lints what was pasted in the page itself, with the library that Node.js runs. Sends nothing.

import examples from 'playground:examples';
import { applyEdits } from '../../lib/engine/fixes/edit.js';
import { lint, NEWEST_COUCHDB } from '../../lib/index.js';
import { renderMain } from '../../lib/reports/html/page.js';
import { summarize } from '../../lib/reports/report.js';
import { BARE_ROLES } from '../../lib/shared/bare-roles.js';
import { PASTED, putPasted } from './node.js';
import { packFragment, unpackFragment } from './permalink.js';

/** @import { Finding } from '../../lib/engine/findings/finding.js' */
/** @import { Report } from '../../lib/reports/report.js' */

/** Versions that advice can be for, beside the newest. */
const OLDER_TARGETS = ['3.4.3', '3.3.3', '3.2.3', '3.1.2', '3.0.1', '2.3.1'];
/** Longer addresses are cut by some programs. */
const LONG_ADDRESS = 32_000;
/** A result that begins below this part of the window is scrolled to. */
const ROOM = 0.6;
/** Lines of a text above the place that is shown. */
const LINES_ABOVE = 3;

/** @template {HTMLElement} T @param {string} id @param {{new (): T}} kind @returns {T} */
const byId = (id, kind) => {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new TypeError(`the page has no ${id}`);
  return element;
};

const form = byId('input', HTMLFormElement);
const target = byId('target', HTMLSelectElement);
const as = byId('as', HTMLSelectElement);
const theme = byId('theme', HTMLSelectElement);
const status = byId('status', HTMLOutputElement);
const result = byId('result', HTMLElement);
/** By the name that places have. */
const fields = { document: byId('document', HTMLTextAreaElement), log: byId('log', HTMLTextAreaElement) };

let isBusy = false;

/** Lints what is in the fields, and shows the report. */
const lintPasted = async () => {
  if (isBusy) return;
  const names = Object.entries(fields).flatMap(([name, { value }]) => (value.trim() === '' ? [] : [name]));
  if (names.length === 0) {
    result.replaceChildren();
    status.value = 'Paste a design document or a log first.';
    return;
  }
  isBusy = true;
  status.value = 'Linting …';
  for (const [name, { value }] of Object.entries(fields)) putPasted(name, names.includes(name) ? value : '');
  // The line above is to be seen while the linter works.
  await new Promise((done) => setTimeout(done));
  try {
    const report = await lint({
      cwd: PASTED,
      paths: names.filter((name) => name === 'document'),
      logs: names.filter((name) => name === 'log'),
      target: { version: target.value },
      as: BARE_ROLES.find((role) => role === as.value),
    });
    show(report);
  } catch (error) {
    result.replaceChildren();
    status.value = `This is a bug in couch-advisor: ${error instanceof Error ? error.message : error}`;
  } finally {
    isBusy = false;
  }
};

/** @param {Report} report */
const show = (report) => {
  // No text of the report can become markup (lib/shared/markup.js).
  result.innerHTML = renderMain(report).text;
  status.value = summarize(report);
  // On a narrow screen the fields would leave no room for what was found.
  if (result.getBoundingClientRect().top > innerHeight * ROOM) status.scrollIntoView();
  for (const card of result.querySelectorAll('article.finding')) {
    const finding = report.findings[Number(card.id.slice(1)) - 1];
    if (!finding) continue;
    for (const button of card.querySelectorAll('button.copy')) button.remove();
    if (report.edits?.has(finding.key)) {
      const fix = card.querySelector('.patch') ?? card.querySelector('.fix');
      fix?.append(makeButton('Apply', () => applyFix(report, finding)));
    }
    card.querySelector('.foot')?.prepend(
      makeButton('Show in the text', () => showPlace(report, finding)),
      ' ',
    );
  }
};

/** @param {string} label @param {() => void} act @returns {HTMLButtonElement} */
const makeButton = (label, act) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', act);
  return button;
};

/** @param {Report} report @param {Finding} finding with a fix */
const applyFix = async ({ edits, sources }, { key }) => {
  const file = sources.get('document');
  if (!file) return;
  fields.document.value = applyEdits(file.text, edits?.get(key) ?? []).text;
  await lintPasted();
  // The button is gone with the report that it was in.
  result.focus();
};

/** @param {Report} report @param {Finding} finding */
const showPlace = ({ sources }, { place }) => {
  const { file, line, column, endLine = line, endColumn = column + 1 } = place;
  const lineStarts = sources.get(file)?.lineStarts ?? [];
  const field = file === 'log' ? fields.log : fields.document;
  field.focus();
  field.setSelectionRange((lineStarts[line - 1] ?? 0) + column - 1, (lineStarts[endLine - 1] ?? 0) + endColumn - 1);
  field.scrollTop = (line - 1 - LINES_ABOVE) * Number.parseFloat(getComputedStyle(field).lineHeight);
  field.scrollIntoView({ block: 'nearest' });
};

/** @param {{document: string, log: string, target?: string, as?: string}} texts */
const load = async (texts) => {
  fields.document.value = texts.document;
  fields.log.value = texts.log;
  as.value = BARE_ROLES.find((role) => role === texts.as) ?? '';
  if (texts.target !== undefined) target.value = texts.target;
  if (target.selectedIndex === -1) target.value = NEWEST_COUCHDB;
  await lintPasted();
};

/** Takes the texts of the address, where it has any. */
const readAddress = async () => {
  try {
    const pasted = await unpackFragment(location.hash);
    if (pasted) await load(pasted);
  } catch (error) {
    status.value = error instanceof Error ? error.message : String(error);
  }
};

/** Makes the address of the page one that brings these texts, and copies it. */
const makeLink = async () => {
  const { document: field, log } = fields;
  history.replaceState(
    null,
    '',
    await packFragment({ document: field.value, log: log.value, target: target.value, as: as.value }),
  );
  const length = location.href.length;
  const note = length > LONG_ADDRESS ? ` It has ${length} characters, and some programs cut such links.` : '';
  try {
    await navigator.clipboard.writeText(location.href);
    status.value = `Link copied.${note}`;
  } catch {
    status.value = `The link is in the address bar.${note}`;
  }
};

for (const role of BARE_ROLES) as.add(new Option(role));
for (const version of [NEWEST_COUCHDB, ...OLDER_TARGETS]) target.add(new Option(version));
byId('examples', HTMLElement).append(...examples.map((example) => makeButton(example.title, () => void load(example))));

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void lintPasted();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
form.addEventListener('input', () => {
  const buttons = result.querySelectorAll('button');
  if (buttons.length === 0) return;
  // Places and fixes are those of the text that was linted.
  for (const button of buttons) button.disabled = true;
  status.value = 'The text was changed: lint it again.';
});
byId('link', HTMLButtonElement).addEventListener('click', () => void makeLink());
theme.addEventListener('input', () => {
  document.documentElement.dataset['theme'] = theme.value;
});
// Links within the page leave the texts in the address.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  const place = link && document.getElementById(link.getAttribute('href')?.slice(1) ?? '');
  if (!place) return;
  event.preventDefault();
  place.tabIndex = -1;
  place.focus();
  place.scrollIntoView();
});
addEventListener('hashchange', () => void readAddress());

void readAddress();
