/** The requested part of a file (RFC 9110 §14). */

export interface Part {
  readonly first: number
  /** Inclusive. */
  readonly last: number
}

/**
 * `whole`: no range, several, or an unknown unit, which a server may ignore. `none`: outside the file, answered 416.
 * @param etag current; a different `ifRange` means that the file has changed since the first part
 */
export function desiredPart(
  { range, ifRange }: { readonly range: string | undefined; readonly ifRange: string | undefined },
  bytes: number,
  etag: string,
): Part | 'whole' | 'none' {
  if (range === undefined || (ifRange !== undefined && ifRange.trim() !== etag)) return 'whole'
  const [, first = '', last = ''] = /^bytes=(\d{0,16})-(\d{0,16})$/i.exec(range.replaceAll(/\s/g, '')) ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const suffix = Math.min(Number(last), bytes)
    return suffix === 0 ? 'none' : { first: bytes - suffix, last: bytes - 1 }
  }
  const from = Number(first)
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < from) return 'whole'
  return from >= bytes ? 'none' : { first: from, last: to }
}
