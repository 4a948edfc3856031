// Defines a fact: a value about one subject with its place and how it is known, or `unknown` with the reason.

/** @import { Place } from '../shared/source-file.js' */
/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { EngineName, FunctionRole } from '../javascript/engines.js' */
/** @import { Proof } from '../proof/proof.js' */
/** @import { BuildRecord, ChangeRecord, ConfigOption, ContainerRecord, DesignDocRecord, LoadRecord, LogRecord, MangoIndexRecord, RequestRecord, ServerConfigRecord, ValueNode } from '../sources/record.js' */
/** @import { ReplicationRecord } from '../sources/design-docs/replication.js' */
/** @import { DocumentTrial } from '../proof/try-documents.js' */
/** @import { Evidence } from '../proof/evidence/run-function.js' */
/** @import { Witness } from '../proof/evidence/find-witness.js' */
/** @import { WriteTrial } from '../proof/evidence/try-writes.js' */
/** @import { MemberShape } from '../proof/evidence/shape.js' */
/** @import { RowTrial } from '../proof/synthesis/try-rows.js' */
/** @import { CallRecord, CodeRecord } from '../sources/application/record.js' */
/** @import { DatabaseRecord, FindQueryRecord, NodeRecord, ViewIndexRecord } from '../sources/live/record.js' */

/**
 * How a value is known: written so in the source (`declared`), followed through the code by reading it (`inferred`),
 * taken from a log or a server (`measured`), or shown for every input (`proved`).
 * @typedef {'declared' | 'inferred' | 'measured' | 'proved'} Basis
 */

/** @typedef {{value: string, isProse?: boolean, place?: Place, start?: number, end?: number, detail?: Record<string, string | number | boolean>}} Item
 *  one member of a list fact, `isProse` where it is words and no name or code; `start` and `end` are offsets into the function's text, for fixes */
/** @typedef {boolean | number | string | Item[]} FactValue */

/**
 * @typedef {object} KnownFact
 * @property {FactValue} value
 * @property {Basis} basis
 * @property {Place} [place]
 */
/** @typedef {{unknown: string, place?: Place}} UnknownFact */
/** @typedef {KnownFact | UnknownFact} Fact */

/** What an extractor may return: the basis of the declaration is used where it gives none. @typedef {{value: FactValue, basis?: Basis, place?: Place | undefined} | UnknownFact} Extracted */

/** @typedef {'boolean' | 'count' | 'bytes' | 'ms' | 'share' | 'text' | 'version' | 'list'} FactType */
/**
 * @typedef {object} Ignore A wish to silence one rule at one place.
 * @property {string} rule the rule id as written; empty where none is
 * @property {string | undefined} reason
 * @property {'comment' | 'config'} origin
 * @property {string} [form] the word a comment begins with: `couch-advisor-ignore-line`
 * @property {string | undefined} [nearestForm] the one that was meant, where there is no such form
 * @property {Place} place of the comment, or of the line in the config file
 * @property {boolean} knownRule whether a rule of that id is loaded
 * @property {string | undefined} nearestRule the loaded rule of the most similar id, where it is not known
 * @property {number} silencedCount how many findings it silenced in this run
 */

/** @typedef {'design-doc' | 'view' | 'function' | 'filter' | 'validate' | 'search-index' | 'index' | 'server' | 'option' | 'container' | 'replication' | 'load' | 'request' | 'build' | 'log' | 'change' | 'node' | 'database' | 'view-index' | 'find-query' | 'call' | 'ignore' | 'run'} SubjectKind */
/** @typedef {'design-docs' | 'mango-indexes' | 'server-config' | 'replications' | 'loads' | 'logs' | 'application' | 'deployed' | 'live-server' | 'proof' | 'trials' | 'documents' | 'witnesses' | 'settings'} SourceName */

/**
 * @typedef {object} DesignDocSubject
 * @property {'design-doc'} kind
 * @property {DesignDocRecord} record
 * @property {string} name the id without `_design/`, or the file where there is none
 * @property {string} language `javascript` where the document names none
 * @property {Place} place
 * @property {ViewSubject[]} views
 * @property {FunctionSubject[]} functions
 * @property {RunSubject} parent
 */

/**
 * @typedef {object} ViewSubject
 * @property {'view'} kind
 * @property {string} name
 * @property {ValueNode} node the view's own object
 * @property {ValueNode | undefined} mapNode
 * @property {ValueNode | undefined} reduceNode
 * @property {FunctionSubject | undefined} map the map function, where it is JavaScript
 * @property {FunctionSubject | undefined} reduce the reduce function, where it is JavaScript and not built in
 * @property {Proof | undefined} proof what the reduce function was proved to compute, where the run needs that
 * @property {DocumentTrial | undefined} documentTrial whether documents that were given meet the condition of the proof
 * @property {Place} place of the view's name
 * @property {DesignDocSubject} parent
 */

/**
 * @typedef {object} FunctionSubject A JavaScript function of a design document.
 * @property {'function'} kind
 * @property {FunctionRole} role
 * @property {string} name path in the document: `views.by_date.map`
 * @property {string | undefined} view name of its view
 * @property {MappedText} text
 * @property {RowTrial | undefined} trial what changes its rows, where the run needs that and only trying can show it
 * @property {Evidence | undefined} evidence what it does with the documents that were given, where there are some and the run needs that
 * @property {Witness | undefined} witness a document that was made for it and on which it throws, where the run needs that
 * @property {WriteTrial | undefined} writes what a validation function does with writes that were made for it, where the run needs that
 * @property {string} [bailout] why not all facts about it are known, where an analysis was too large
 * @property {boolean} mayLoseName whether the program that sends it may leave out its name: it is a function of a program and no text yet
 * @property {ReadonlySet<string> | undefined} inlinable where a compiler writes the text that CouchDB gets (it is or holds a function
 *   of a TypeScript program): names that it may replace by values
 * @property {boolean} isModule true for CommonJS modules (`views.lib`, `lib`): no function expression but statements
 * @property {Place} place
 * @property {DesignDocSubject} parent
 */

/** @typedef {{kind: 'filter', name: string, function: FunctionSubject, place: Place, parent: FunctionSubject}} FilterSubject */
/** A full-text index: of Clouseau or of Nouveau. @typedef {{kind: 'search-index', name: string, engine: 'clouseau' | 'nouveau', node: ValueNode, function: FunctionSubject | undefined, place: Place, parent: DesignDocSubject}} SearchIndexSubject */
/** @typedef {{kind: 'validate', name: string, function: FunctionSubject, place: Place, parent: FunctionSubject}} ValidateSubject */
/** @typedef {{kind: 'index', name: string, record: MangoIndexRecord, place: Place, parent: RunSubject}} IndexSubject */
/** @typedef {{kind: 'server', name: string, record: ServerConfigRecord, place: Place, parent: RunSubject}} ServerSubject */
/** One option of a server configuration. @typedef {{kind: 'option', name: string, option: ConfigOption, place: Place, parent: ServerSubject}} OptionSubject */
/** A container with CouchDB in a manifest. @typedef {{kind: 'container', name: string, record: ContainerRecord, place: Place, parent: RunSubject}} ContainerSubject */
/** @typedef {{kind: 'replication', name: string, record: ReplicationRecord, place: Place, parent: RunSubject}} ReplicationSubject */
/** `shape`: of the documents of all loads, where the run needs that. @typedef {{kind: 'load', name: string, record: LoadRecord, shape?: {documents: number, members: MemberShape[]}, place: Place, parent: RunSubject}} LoadSubject */
/** One query pattern of the logs. @typedef {{kind: 'request', name: string, record: RequestRecord, place: Place, parent: RunSubject}} RequestSubject */
/** One index that the logs saw built. @typedef {{kind: 'build', name: string, record: BuildRecord, place: Place, parent: RunSubject}} BuildSubject */
/** All logs together. @typedef {{kind: 'log', name: string, record: LogRecord, place: Place, parent: RunSubject}} LogSubject */
/** A design document and its deployed version. @typedef {{kind: 'change', name: string, record: ChangeRecord, before: DesignDocSubject, after: DesignDocSubject, place: Place, parent: RunSubject}} ChangeSubject */
/** A server, as the node that answered reports it. @typedef {{kind: 'node', name: string, record: NodeRecord, place: Place, parent: RunSubject}} NodeSubject */
/** @typedef {{kind: 'database', name: string, record: DatabaseRecord, place: Place, parent: NodeSubject | RunSubject}} DatabaseSubject */
/** The index of a design document on a server. @typedef {{kind: 'view-index', name: string, record: ViewIndexRecord, place: Place, parent: DatabaseSubject}} ViewIndexSubject */
/** A Mango query and its plan. @typedef {{kind: 'find-query', name: string, record: FindQueryRecord, place: Place, parent: DatabaseSubject}} FindQuerySubject */
/** A call of a CouchDB client in the code of an application. @typedef {{kind: 'call', name: string, record: CallRecord, place: Place, parent: RunSubject}} CallSubject */
/** @typedef {{kind: 'ignore', name: string, ignore: Ignore, place: Place, parent: RunSubject}} IgnoreSubject */

/**
 * @typedef {object} RunSubject What all subjects of a run share: the settings, and each other.
 * @property {'run'} kind
 * @property {string} name
 * @property {Place} place
 * @property {Target} target
 * @property {Subject[]} subjects
 * @property {CodeRecord} [code] what the code of the application mentions, where code and logs were read
 */

/**
 * @typedef {object} Target The CouchDB version advice is for, and its JavaScript engine where known.
 * @property {string} version
 * @property {EngineName} [engine]
 * @property {'option' | 'configuration' | 'server' | 'container' | 'default'} [source] what names the version
 * @property {string} [file] of a configuration or container: which one
 */

/** @typedef {DesignDocSubject | ViewSubject | FunctionSubject | FilterSubject | ValidateSubject | SearchIndexSubject | IndexSubject | ServerSubject | OptionSubject | ContainerSubject | ReplicationSubject | LoadSubject | RequestSubject | BuildSubject | LogSubject | ChangeSubject | NodeSubject | DatabaseSubject | ViewIndexSubject | FindQuerySubject | CallSubject | IgnoreSubject | RunSubject} Subject */

/**
 * What a finding says of each value of a fact: a text for all (`{value}`, `{row|rows}` by the number), a pair for true and false, an object for texts
 * (`*`: others). Of a list it is said of each item. Empty where no rule compares the fact.
 * @typedef {string | [whenTrue: string, whenFalse: string] | Readonly<Record<string, string>>} Phrases
 */

/**
 * A fact that rules can use. Declared in the file of its subject; `catalog.js` collects all.
 * @template {Subject} [S=any]
 * @typedef {object} FactDeclaration
 * @property {string} id `<prefix>.<property><Unit>`
 * @property {FactType} type for a list the numeric operators compare the number of its items
 * @property {S['kind']} subject
 * @property {SourceName[]} sources what can supply it
 * @property {string} meaning one sentence
 * @property {string} [forOwnRules] why rules of users may need it, where none of this package reads it
 * @property {Phrases} [phrases]
 * @property {Basis} [basis] of values that say no other; `inferred` where absent
 * @property {(subject: S, ask: Ask) => Extracted} extract
 */

/**
 * What functions such as `callFact`, which declare facts of one kind, get beside id and type: `extract` takes what that function prepares; sources and
 * basis are given where they are not those of the kind.
 * @template {(...prepared: any[]) => unknown} E
 * @typedef {Pick<FactDeclaration, 'meaning' | 'forOwnRules' | 'phrases'> & Partial<Pick<FactDeclaration, 'sources' | 'basis'>> & {extract: E}} About
 */

/** What facts of a kind share, where they say no other. @template {Subject} S @typedef {Pick<FactDeclaration<S>, 'subject' | 'sources' | 'basis'>} FactKind */

/**
 * Declares one fact of a kind: its id, its type, and the rest.
 * @template {Subject} S
 * @template {(...prepared: any[]) => unknown} [E=FactDeclaration<S>['extract']]
 * @typedef {(id: string, type: FactType, about: About<E>) => FactDeclaration<S>} DeclareFact
 */

/** Computes another fact of a subject or of one of its parents. @typedef {(subject: Subject, id: string) => Fact} Ask */

/**
 * @param {Fact} fact
 * @returns {fact is KnownFact}
 */
export function isKnown(fact) {
  return !('unknown' in fact);
}

/**
 * @template {Subject} S
 * @template {(...prepared: any[]) => unknown} [E=FactDeclaration<S>['extract']]
 * @param {FactKind<S>} kind
 * @param {(extract: E, id: string) => FactDeclaration<S>['extract']} [prepare] what `extract` needs, and where it is unknown before that
 * @returns {DeclareFact<S, E>}
 */
export function factsOf(kind, prepare = (extract) => /** @type {FactDeclaration<S>['extract']} */ (extract)) {
  return (id, type, { extract, ...about }) => ({ id, type, ...kind, ...about, extract: prepare(extract, id) });
}
