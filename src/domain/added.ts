/** The list with one more. A first one makes a list for one: an empty one that grows has room for 17. */
export function added<T>(list: T[] | undefined, one: T): T[] {
  if (!list) return [one]
  list.push(one)
  return list
}
