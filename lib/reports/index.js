// Every format by name. A format's code is loaded when it is asked for: start-up counts.

/** @import { RenderOptions, Report } from './report.js' */

/**
 * @typedef {object} Format
 * @property {string} description
 * @property {(report: Report, options?: RenderOptions) => Promise<string>} render
 * @property {boolean} [showsDetails] whether it shows the `details` of a report, which take time to gather
 */

/** @type {Map<string, Format>} */
export const formats = new Map([
  [
    'text',
    {
      description: 'for people, with the source underlined',
      render: async (report, options) => (await import('./text.js')).renderText(report, options),
    },
  ],
  [
    'compact',
    {
      description: 'one line a finding',
      render: async (report) => (await import('./compact.js')).renderCompact(report),
    },
  ],
  [
    'json',
    {
      description: 'everything that is known, documented by schemas/lint.schema.json',
      render: async (report) => (await import('./json.js')).renderJson(report),
    },
  ],
  [
    'sarif',
    {
      description: 'SARIF 2.1.0, for code scanning',
      render: async (report) => (await import('./sarif.js')).renderSarif(report),
    },
  ],
  [
    'github',
    {
      description: 'annotations in a run of GitHub Actions',
      render: async (report) => (await import('./github.js')).renderGithub(report),
    },
  ],
  [
    'junit',
    {
      description: 'JUnit XML, for the test reports of CI systems',
      render: async (report) => (await import('./junit.js')).renderJunit(report),
    },
  ],
  [
    'gitlab',
    {
      description: 'code quality report of GitLab',
      render: async (report) => (await import('./gitlab.js')).renderGitlab(report),
    },
  ],
  [
    'markdown',
    {
      description: 'for job summaries and comments',
      render: async (report) => (await import('./markdown.js')).renderMarkdown(report),
    },
  ],
  [
    'html',
    {
      description: 'one page to read, filter and mail, with sources, evidence and patches',
      showsDetails: true,
      render: async (report) => (await import('./html/page.js')).renderHtml(report),
    },
  ],
]);
