/** The text of `/metrics`, read as Prometheus reads it: a family has a type, and a value for each set of labels. */
export interface Family {
  readonly type: string
  /** By name and labels as they are written. */
  readonly values: ReadonlyMap<string, number>
}

export function exposition(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, { readonly type: string; readonly values: Map<string, number> }>()
  let current: Map<string, number> | undefined
  for (const line of text.split('\n')) {
    const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (name !== '') {
      current = new Map()
      families.set(name, { type, values: current })
    } else if (line !== '' && !line.startsWith('#')) {
      const at = line.lastIndexOf(' ')
      current?.set(line.slice(0, at), Number(line.slice(at + 1)))
    }
  }
  return families
}
