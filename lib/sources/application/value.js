// Defines what an expression of a program may be, as far as clients of CouchDB are concerned. Types only.

/** @import { AnyNode, ArrayExpression, Class, ObjectExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallLocation, ClientName } from './record.js' */

/**
 * What an expression is, as far as clients are concerned.
 * @typedef {{is: 'package', name: string, code?: Code, node?: ObjectExpression}} PackageValue `node`: options of all requests: `axios.create({ baseURL })`
 * @typedef {{is: 'server', client: ClientName, location: CallLocation, annotated?: boolean, isGroup?: boolean, isHolder?: boolean}} ServerValue `isGroup`: `nano.db`, whose `get` and `list` are about databases; `isHolder`: it has nothing of it but a database, as its `db`
 * @typedef {{is: 'database', client: ClientName, location: CallLocation, database: string | null, annotated?: boolean, isDeclared?: boolean}} DatabaseValue `isDeclared`: by the user, or a name that stands for a server and for a database of it: it may be either
 * @typedef {{is: 'maker', client: ClientName, makes: 'server' | 'database', location?: CallLocation, adapters?: string[]}} MakerValue a class or function that makes them; `location` of all that it
 *   makes, `adapters` of a PouchDB that has none of its own
 * @typedef {{is: 'module', path: string}} ModuleValue
 * @typedef {{is: 'class', code: Code, node: Class}} ClassValue
 * @typedef {{is: 'instance', code: Code, node: Class}} InstanceValue
 * @typedef {{is: 'function', code: Code, node: FunctionNode}} FunctionValue
 * @typedef {{is: 'object', code: Code, node: ObjectExpression}} ObjectValue
 * @typedef {{is: 'list', code: Code, node: ArrayExpression}} ListValue
 * @typedef {{is: 'constructed', code: Code, node: FunctionNode}} ConstructedValue what `new` makes of a function
 * @typedef {{is: 'type', code: Code, node: import('./annotations.js').TypeNode}} TypeValue an object of which only the type is known
 * @typedef {{is: 'text', code: Code, node: AnyNode}} TextValue a string, or a template or sum of them
 * @typedef {PackageValue | ServerValue | DatabaseValue | MakerValue | ModuleValue | ClassValue | InstanceValue | FunctionValue | ObjectValue | ListValue | ConstructedValue | TypeValue | TextValue} Value
 */

export {};
