// Follows a member of a value to what it is: of a client, of what a file exports, of an object or a class of the project.

import { clientPackage } from '../../clients/index.js';
import { isFunction } from '../../javascript/names.js';
import { annotationOf, memberOfType, typeDeclared, valueOfType } from './annotations.js';
import { nameOf } from './code.js';
import { assignedMembers, isNothing, madeMembers } from './enclosing.js';
import { joined, somewhere } from './locations.js';
import { writtenToNameOf } from './stored.js';

/** @import { Tracer } from './trace.js' */
/** @import { ClassValue, InstanceValue, ObjectValue, Value } from './value.js' */

/** What has a client: `ref(db).value`, `useRef(db).current`, `const [db] = useState(…)`. Clients have no members of these names. */
const HOLDING = new Set(['value', 'current', '0']);

/**
 * @param {Tracer} tracer
 * @param {Value} object
 * @param {string} key
 * @param {number} depth
 * @returns {Value | undefined}
 */
export function memberOf(tracer, object, key, depth) {
  switch (object.is) {
    case 'server':
      if (object.isHolder && key === 'db')
        return { is: 'database', client: object.client, location: object.location, database: null };
      // `nano.db` and `cloudant.db` have the methods of the server, too.
      if (key === 'db') return { ...object, isGroup: true };
      return HOLDING.has(key) ? object : undefined;
    case 'database':
      return HOLDING.has(key) || (key === 'db' && object.isDeclared) ? object : undefined;
    case 'package': {
      if (key === 'default') return object;
      const known = clientPackage(object.name);
      if (!known) return undefined;
      if (known.makes === 'namespace' && known.client.classes?.includes(key)) {
        return { is: 'maker', client: known.client.name, makes: 'server' };
      }
      return undefined;
    }
    case 'module':
      return exported(tracer, object.path, key, depth);
    case 'object':
      return ofObject(tracer, object, key, depth);
    case 'list':
      return tracer.value(object.node.elements[Number(key)], object.code, depth);
    case 'constructed': {
      const values = madeMembers(object.node, object.code).get(key) ?? [];
      return joined(values.map((item) => tracer.value(item, object.code, depth)));
    }
    case 'type':
      return memberOfType(tracer, object, key, depth);
    case 'instance':
      return ofInstance(tracer, object, key, depth);
    case 'class':
      return ofInstance(tracer, object, key, depth);
    default:
      return undefined;
  }
}

/**
 * @param {Tracer} tracer
 * @param {string} path
 * @param {string} name
 * @param {number} depth
 * @returns {Value | undefined}
 */
function exported(tracer, path, name, depth) {
  const code = tracer.store.get(path);
  if (!code || tracer.isTooFar()) return undefined;
  const found = code.exported(name);
  if (found && 'node' in found) return tracer.value(found.node, code, depth + 1);
  if (found) {
    return found.name === '*'
      ? tracer.imported(found.from, code)
      : tracer.importedMember(found.name, found.from, code, depth + 1);
  }
  const type = typeDeclared(name, code);
  if (type) return valueOfType(tracer, type, code, depth + 1);
  const whole = name === 'default' ? undefined : code.exported('default');
  if (whole && 'node' in whole) {
    const object = tracer.value(whole.node, code, depth + 1);
    const member = object && tracer.property(object, name, depth + 1);
    if (member) return member;
  }
  for (const source of code.starSources) {
    const member = tracer.importedMember(name, source, code, depth + 1);
    if (member) return member;
  }
  return undefined;
}

/**
 * @param {Tracer} tracer
 * @param {ObjectValue} object
 * @param {string} key
 * @param {number} depth
 * @returns {Value | undefined}
 */
function ofObject(tracer, { code, node }, key, depth) {
  const written = node.properties.find(
    (item) => item.type === 'Property' && !item.computed && nameOf(item.key) === key,
  );
  const value = written?.type === 'Property' && !isNothing(written.value) ? written.value : undefined;
  if (written?.type === 'Property' && written.kind === 'get' && value && isFunction(value))
    return tracer.returned(value, code, depth);
  const assigned = assignedMembers(node, code).get(key) ?? [];
  const values = assigned.flatMap((found) => ('value' in found ? found.value : []));
  const all = [...(value ? [value] : []), ...values, ...writtenToNameOf(node, key, code)];
  return joined(all.map((item) => tracer.value(item, code, depth)));
}

/**
 * @param {Tracer} tracer
 * @param {InstanceValue | ClassValue} object
 * @param {string} key
 * @param {number} depth
 * @returns {Value | undefined}
 */
function ofInstance(tracer, { code, node }, key, depth) {
  const written = node.body.body.find(
    (member) => 'key' in member && nameOf(member.key) === key && !('kind' in member && member.kind === 'set'),
  );
  if (written?.type === 'MethodDefinition') {
    if (written.kind !== 'get') return { is: 'function', code, node: written.value };
    return tracer.returned(written.value, code, depth);
  }
  const field =
    written?.type === 'PropertyDefinition' && written.value && !isNothing(written.value)
      ? tracer.value(written.value, code, depth)
      : undefined;
  const assigned = (assignedMembers(node, code).get(key) ?? []).map((found) =>
    'value' in found ? tracer.value(found.value, code, depth) : tracer.declared(found.parameter, code, depth),
  );
  const value =
    joined(field ? [field, ...assigned] : assigned) ?? (written && annotationOf(tracer, written, code, depth));
  // A class that extends this one may assign another.
  if (value) return tracer.extended.get(node.id?.name ?? '')?.has(key) ? somewhere(value) : value;
  const parent = node.superClass && tracer.value(node.superClass, code, depth);
  return parent?.is === 'class' ? ofInstance(tracer, parent, key, depth + 1) : undefined;
}
