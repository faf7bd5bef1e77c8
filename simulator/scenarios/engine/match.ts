/** Objects may have more members than expected, lists more entries in any order. Undefined when it matches. */
export function mismatch(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path || 'it'} is ${shown(actual)}, expected a list`
    const missing = expected.find((entry) => !actual.some((other) => mismatch(entry, other) === undefined))
    return missing === undefined ? undefined : `${path || 'it'} has no entry like ${shown(missing)}: ${shown(actual)}`
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return `${path || 'it'} is ${shown(actual)}, expected members`
    for (const [name, value] of Object.entries(expected)) {
      const fault = mismatch(value, (actual as Record<string, unknown>)[name], path ? `${path}.${name}` : name)
      if (fault) return fault
    }
    return undefined
  }
  return expected === actual ? undefined : `${path || 'it'} is ${shown(actual)}, expected ${shown(expected)}`
}

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
