// Defines what an expression of a program may be, as far as clients of CouchDB are concerned. Types only.

/** @import { Class, ObjectExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallLocation, ClientName } from './record.js' */

/**
 * What an expression is, as far as clients are concerned.
 * @typedef {{is: 'package', name: string}} PackageValue
 * @typedef {{is: 'server', client: ClientName, location: CallLocation, annotated?: boolean}} ServerValue
 * @typedef {{is: 'database', client: ClientName, location: CallLocation, database: string | null, annotated?: boolean}} DatabaseValue
 * @typedef {{is: 'maker', client: ClientName, makes: 'server' | 'database', location?: CallLocation}} MakerValue a class or function that makes them
 * @typedef {{is: 'module', path: string}} ModuleValue
 * @typedef {{is: 'class', code: Code, node: Class}} ClassValue
 * @typedef {{is: 'instance', code: Code, node: Class}} InstanceValue
 * @typedef {{is: 'function', code: Code, node: FunctionNode}} FunctionValue
 * @typedef {{is: 'object', code: Code, node: ObjectExpression}} ObjectValue
 * @typedef {PackageValue | ServerValue | DatabaseValue | MakerValue | ModuleValue | ClassValue | InstanceValue | FunctionValue | ObjectValue} Value
 */

export {};
