// Types of a scenario of `bench` and of its result: samples, tables, comparisons with published figures, pictures.

/** @import { Environment } from '../experiments/environment.js' */
/** @import { Verdict, Mechanism } from '../experiments/experiment.js' */
/** @import { Warning } from '../experiments/warnings.js' */

/** @typedef {'include-docs' | 'bulk-load' | 'index-build' | 'coupons' | 'request-overhead'} ScenarioName */

/**
 * @typedef {object} BenchSample One timed thing. What was not read is absent.
 * @property {string} set what is compared within: `all rows`, `page of 20`, `batch of 1000`
 * @property {string} arm
 * @property {number} round from 0; arms of one round and set are paired
 * @property {string} at start, ISO 8601
 * @property {number} ms
 * @property {number} things how many were read, loaded or built in that time
 * @property {number} [cpuMs] of the server's processes meanwhile
 * @property {number} [others] processors of this machine that others kept busy meanwhile; absent where that cannot be known
 * @property {number} [bytes] of the answers
 * @property {Record<string, number>} [sizes] bytes of files
 * @property {number[]} [latencies] milliseconds of single requests
 * @property {CurvePoint[]} [curve]
 * @property {number} [errors] requests that failed or were refused; the sample is then not among the times
 */

/** @typedef {{ms: number, done: number}} CurvePoint how many changes were done so long after the start */

/** @typedef {'text' | 'ms' | 'bytes' | 'count' | 'perSecond' | 'times' | 'share'} Unit */
/** @typedef {{title: string, unit: Unit}} Column */
/** @typedef {string | number | null} Cell null: not measured */
/** @typedef {{title: string, columns: Column[], rows: Cell[][], notes?: string[]}} BenchTable */

/**
 * @typedef {'as published' | 'weaker' | 'stronger' | 'gone' | 'new' | 'reversed' | 'unclear' | 'not measured'} Standing How a measured
 *   ratio stands to the published one; `new`: no difference was published; `unclear`: the rounds scatter to both sides of 1.
 *
 * @typedef {object} Comparison
 * @property {string} what is divided by what
 * @property {number} published ratio
 * @property {number | null} measured
 * @property {[number, number] | null} interval
 * @property {number} confidence of the interval, 0 to 1
 * @property {number} rounds
 * @property {Standing} standing
 * @property {string} [note] why it may differ, or was not measured
 */

/**
 * @typedef {object} PicturePoint
 * @property {number | string} x a name in pictures of bars
 * @property {number} y
 * @property {number} [low]
 * @property {number} [high]
 */

/** @typedef {{label: string, unit?: string, isLogarithmic?: boolean}} PictureAxis */

/**
 * @typedef {object} BenchPicture
 * @property {string} title
 * @property {'bars' | 'lines'} kind
 * @property {PictureAxis} x
 * @property {PictureAxis} y
 * @property {{name: string, points: PicturePoint[]}[]} series
 */

/** What pure code makes of the samples. @typedef {{tables: BenchTable[], comparisons: Comparison[], pictures: BenchPicture[], verdict?: Verdict}} Findings */

/** @typedef {Record<string, number | string | boolean | (number | string)[]>} Settings all settings of a run */

/**
 * @typedef {object} BenchResult
 * @property {1} version of this shape
 * @property {ScenarioName} scenario
 * @property {string} question
 * @property {string} at start, ISO 8601
 * @property {string} seed
 * @property {Settings} settings
 * @property {Environment} environment
 * @property {'done' | 'stopped' | 'failed'} state
 * @property {string | null} failure what ended the run early
 * @property {string} published where the published figures come from
 * @property {string[]} missing what this server or machine lacks, a sentence each
 * @property {string[]} notes what is to be known of this run
 * @property {Warning[]} warnings
 * @property {BenchTable[]} tables
 * @property {Comparison[]} comparisons
 * @property {Verdict} [verdict] of two states that were compared
 * @property {BenchPicture[]} pictures
 * @property {BenchSample[]} samples
 */

/**
 * @typedef {object} ScenarioSpec What can be known without running.
 * @property {ScenarioName} name
 * @property {string} about one line
 * @property {string} question
 * @property {Mechanism[]} mechanisms what the figures are about
 * @property {Settings} defaults small; what may be set, by the name of its option
 * @property {Settings} full the sizes of the published measurement
 */

export {};
