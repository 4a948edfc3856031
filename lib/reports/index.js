// Lists every report format by name.

import { renderCompact } from './compact.js';
import { renderGithub } from './github.js';
import { renderGitlab } from './gitlab.js';
import { renderJson } from './json.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';
import { renderPrometheus } from './prometheus.js';
import { renderSarif } from './sarif.js';
import { renderStatistics } from './statistics.js';
import { renderText } from './text.js';

/** @import { RenderOptions, Report } from './report.js' */

/**
 * @template [Result=Report]
 * @typedef {object} Format
 * @property {string} description
 * @property {string[]} [endings] of files that are written in it
 * @property {(result: Result, options?: RenderOptions) => Promise<string>} render
 * @property {boolean} [showsDetails] whether it shows the `details` of a report, which take time to gather
 */

/** @type {Map<string, Format>} */
export const formats = new Map([
  [
    'text',
    {
      description: 'for people, with the source underlined',
      endings: ['.txt', '.log'],
      render: async (report, options) => renderText(report, options),
    },
  ],
  [
    'compact',
    {
      description: 'one line a finding',
      endings: ['.txt', '.log'],
      render: async (report, options) => renderCompact(report, options),
    },
  ],
  [
    'json',
    {
      description: 'everything that is known, documented by share/schemas/lint.schema.json',
      endings: ['.json'],
      render: async (report) => renderJson(report),
    },
  ],
  [
    'sarif',
    {
      description: 'SARIF 2.1.0, for code scanning',
      endings: ['.sarif', '.json'],
      render: async (report) => renderSarif(report),
    },
  ],
  [
    'github',
    {
      description: 'annotations in a run of GitHub Actions',
      render: async (report) => renderGithub(report),
    },
  ],
  [
    'junit',
    {
      description: 'JUnit XML, for the test reports of CI systems',
      endings: ['.xml'],
      render: async (report) => renderJunit(report),
    },
  ],
  [
    'gitlab',
    {
      description: 'code quality report of GitLab',
      endings: ['.json'],
      render: async (report) => renderGitlab(report),
    },
  ],
  [
    'markdown',
    {
      description: 'for job summaries and comments',
      endings: ['.md'],
      render: async (report) => renderMarkdown(report),
    },
  ],
  [
    'prometheus',
    {
      description: 'counts by rule and severity, for the node exporter',
      endings: ['.prom'],
      render: async (report) => renderPrometheus(report),
    },
  ],
  [
    'html',
    {
      description: 'one page to read, filter and mail, with sources, evidence and patches',
      endings: ['.html', '.htm'],
      showsDetails: true,
      // Brings the charts along: loaded where it is wanted.
      render: async (report) => (await import('./html/page.js')).renderHtml(report),
    },
  ],
  [
    'statistics',
    {
      description: 'how many findings each rule has, the most frequent first',
      render: async (report, options) => renderStatistics(report, options),
    },
  ],
]);
