/** Ports derived from others, operation by operation. */

type Operation = (...args: readonly unknown[]) => unknown

export function anyOf(port: object, name: string): (...args: readonly unknown[]) => Promise<unknown> {
  return (port as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>)[name] as never
}

export function eachOperation<Port extends object>(
  port: object,
  wrapped: (operation: Operation, name: string) => Operation,
): Port {
  const operations = Object.entries(port as Readonly<Record<string, Operation>>)
  return Object.fromEntries(operations.map(([name, operation]) => [name, wrapped(operation, name)])) as Port
}

/** Translates failures. The work itself still happens before a call returns. */
export function withFailures<Port extends object>(port: Port, failure: (error: unknown) => Error): Port {
  return eachOperation(port, (operation) => (...args) => {
    const result = operation(...args)
    return result instanceof Promise ? result.catch((error: unknown) => Promise.reject(failure(error))) : result
  })
}
