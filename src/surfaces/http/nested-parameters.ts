const NAME = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})$/

/**
 * Pairs of a query, a form or a multipart body → the object they spell:
 * `a=1` text, `a=1&a=2` and `a[]=1` lists, `a[b]=1` an object. Names that spell nothing else stay as they are.
 */
export function nestParameters(pairs: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const root = fresh()
  for (const [name, value] of pairs) {
    const match = NAME.exec(name)
    const first = match?.[1] ?? name
    const rest = [...(match?.[2] ?? '').matchAll(/\[([^\]]*)\]/g)].map((part) => part[1] as string)
    put(root, [first, ...rest], value)
  }
  return root
}

// Without a prototype, `__proto__` is a name like any other.
const fresh = (): Record<string, unknown> => Object.create(null)

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null

function put(into: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  const there = into[name]
  if (rest.length === 0) {
    if (there === undefined) into[name] = value
    else if (Array.isArray(there)) there.push(value)
    else into[name] = [there, value]
  } else if (rest[0] === '') {
    const list = Array.isArray(there) ? there : there === undefined ? [] : [there]
    if (rest.length === 1) list.push(value)
    else pushInto(list, rest.slice(1), value)
    into[name] = list
  } else {
    const branch = isBranch(there) ? there : fresh()
    put(branch, rest, value)
    into[name] = branch
  }
}

/** `stages[][name]=a&stages[][type]=new`: the same object until a name repeats; what lies deeper belongs to the last one. */
function pushInto(list: unknown[], path: string[], value: unknown): void {
  const last = list.at(-1)
  const isSame = isBranch(last) && (path.length > 1 || last[path[0] as string] === undefined)
  const open = isSame ? last : fresh()
  if (open !== last) list.push(open)
  put(open, path, value)
}
