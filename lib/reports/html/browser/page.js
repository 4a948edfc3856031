// Runs in the page of a report, never in Node: filters findings, folds the filters, copies, switches the theme, opens
// what a link or a print needs. Reads the page only; without it everything can still be read.

/** How long it takes at most until what was scrolled to stays where it is. */
const SETTLING_FRAMES = 4;

/** @typedef {{element: HTMLElement, severity: string, rule: string, file: string, section: HTMLElement | null, text: string | undefined}} Card */

/** @template {HTMLElement} T @param {string} id @param {{new (): T}} kind @returns {T} */
const byId = (id, kind) => {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new TypeError(`the page has no ${id}`);
  return element;
};

const form = byId('filters', HTMLFormElement);
const search = byId('text', HTMLInputElement);
const rule = byId('rule', HTMLSelectElement);
const file = byId('file', HTMLSelectElement);
const theme = byId('theme', HTMLSelectElement);
const fold = byId('fold', HTMLButtonElement);
const active = byId('active', HTMLElement);
const shown = byId('shown', HTMLOutputElement);
const none = byId('none', HTMLElement);
const severities = [...form.querySelectorAll('input')].filter(({ name }) => name === 'severity');

/** @type {Card[]} */
const cards = [...document.querySelectorAll('article.finding')].flatMap((element) => {
  if (!(element instanceof HTMLElement)) return [];
  const { severity = '', rule: own = '', file: place = '' } = element.dataset;
  return [{ element, severity, rule: own, file: place, section: element.closest('section'), text: undefined }];
});
const sections = new Set(cards.map(({ section }) => section));
/** @type {Map<string, Element>} */
const entries = new Map();
for (const entry of document.querySelectorAll('nav [data-section]')) {
  entries.set(entry.getAttribute('data-section') ?? '', entry);
}

/** Shows the findings that match all filters, and how many there are. */
const filter = () => {
  const chosen = new Set(severities.flatMap(({ checked, value }) => (checked ? [value] : [])));
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {Set<HTMLElement | null>} */
  const used = new Set();
  let count = 0;
  for (const card of cards) {
    const fits =
      chosen.has(card.severity) &&
      (rule.value === '' || rule.value === card.rule) &&
      (file.value === '' || file.value === card.file) &&
      hasWords(card, words);
    if (card.element.hidden === fits) card.element.hidden = !fits;
    if (!fits) continue;
    count += 1;
    used.add(card.section);
  }
  for (const section of sections) {
    if (!section) continue;
    section.hidden = !used.has(section);
    const entry = entries.get(section.id);
    if (entry instanceof HTMLElement) entry.hidden = section.hidden;
  }
  shown.value = `${count} of ${cards.length} findings`;
  const filters = [search.value.trim(), chosen.size < severities.length, rule.value, file.value].filter(Boolean).length;
  active.textContent = filters > 0 ? `${filters} active` : '';
  none.hidden = count > 0 || cards.length === 0;
};

/** @param {Card} card @param {string[]} words in small letters @returns {boolean} whether it has all of them */
const hasWords = (card, words) => {
  if (words.length === 0) return true;
  const text = card.text ?? (card.element.textContent ?? '').toLowerCase();
  card.text = text;
  return words.every((word) => text.includes(word));
};

let isWaiting = false;
/** Filters once before the page is painted again, however many keys were pressed. */
const filterSoon = () => {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    filter();
  });
};

/** Narrow pages show the filters only on demand. @param {boolean} isOpen */
const openFilters = (isOpen) => fold.setAttribute('aria-expanded', String(isOpen));

/** Goes to what the address names, also where it is filtered away or folded up. */
const showTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest('[hidden]')) {
    form.reset();
    filter();
  }
  // Open filters would cover it.
  openFilters(false);
  goTo(target, SETTLING_FRAMES);
};

/** Parts come to their true height when they are first seen, so the way to the target may still change. @param {Element} target @param {number} frames */
const goTo = (target, frames) => {
  target.scrollIntoView();
  if (frames > 0) requestAnimationFrame(() => goTo(target, frames - 1));
};

const applyTheme = () => {
  document.documentElement.dataset['theme'] = theme.value;
};

/** @param {HTMLButtonElement} button */
const copy = async (button) => {
  const { copies } = button.dataset;
  const text =
    copies === undefined ? (button.parentElement?.querySelector('pre')?.textContent ?? '') : JSON.parse(copies);
  const label = button.textContent;
  const isCopied = await write(String(text));
  button.textContent = isCopied ? 'Copied' : 'Copy failed';
  button.addEventListener('blur', () => (button.textContent = label), { once: true });
  announcer.textContent = isCopied ? 'Copied' : 'The browser did not allow copying';
};

/** @param {string} text @returns {Promise<boolean>} */
const write = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeByCommand(text);
  }
};

/** Where there is no clipboard to write to, as in pages of some mail programs. @param {string} text @returns {boolean} */
const writeByCommand = (text) => {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
};

const announcer = document.createElement('p');
announcer.className = 'unseen-text';
announcer.setAttribute('role', 'status');
document.body.append(announcer);

/** @type {HTMLDetailsElement[]} */
let openedToPrint = [];

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button.copy') : null;
  if (button instanceof HTMLButtonElement) void copy(button);
});
form.addEventListener('input', filterSoon);
fold.addEventListener('click', () => openFilters(fold.getAttribute('aria-expanded') === 'false'));
theme.addEventListener('input', applyTheme);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => requestAnimationFrame(filter));
search.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  search.value = '';
  filterSoon();
});
addEventListener('hashchange', showTarget);
addEventListener('beforeprint', () => {
  const folded = [...document.querySelectorAll('details')].filter(({ open }) => !open);
  for (const details of folded) details.open = true;
  openedToPrint.push(...folded);
});
addEventListener('afterprint', () => {
  for (const details of openedToPrint) details.open = false;
  openedToPrint = [];
});

form.hidden = false;
byId('theme-choice', HTMLElement).hidden = false;
// Browsers keep what was chosen before a page was loaded again.
applyTheme();
filter();
if (location.hash.length > 1) showTarget();
