import { exampleOf, mediaOf, type Node, node, nodes, resolved, text } from './docs-schema.tsx'

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Node
}

export interface Shared {
  readonly base: string
  readonly schemas: Node
  readonly answers: Node
}

/** The form is hidden until the page's script shows it: without one it could do nothing. */
export function CallToTry({ call, shared }: { readonly call: Operation; readonly shared: Shared }) {
  const { id, method, path, operation } = call
  const body = jsonOf(operation.requestBody, shared)
  const [, good] = Object.entries(node(operation.responses)).find(([status]) => status.startsWith('2')) ?? []
  const answer = jsonOf(resolved(node(good), shared.answers), shared, 2)
  return (
    <>
      <details>
        <summary>Example</summary>
        <pre tabindex={0}>{curlText(call, body, shared.base)}</pre>
        {answer !== undefined && <pre tabindex={0}>{answer}</pre>}
      </details>
      <details class="try" hidden data-method={method.toUpperCase()} data-path={path}>
        <summary>Try it</summary>
        {nodes(operation.parameters).map(({ name, in: place, required }) => (
          <label class="field">
            <code>{text(name)}</code>
            {required === true ? '' : ' (optional)'}
            <input name={text(name)} data-in={text(place)} required={required === true} autocomplete="off" />
          </label>
        ))}
        {body !== undefined && (
          <label class="field">
            Body
            <textarea name="body" data-in="body" rows={5} spellcheck={false} autocomplete="off">
              {body}
            </textarea>
          </label>
        )}
        <button type="button">Send {method.toUpperCase()}</button>
        <pre id={`${id}-answer`} class="answer" tabindex={0} aria-live="polite" />
      </details>
    </>
  )
}

function jsonOf(body: unknown, { schemas }: Shared, indent?: number): string | undefined {
  const [, schema] = mediaOf(body).find(([type]) => type === 'application/json') ?? []
  return schema && JSON.stringify(exampleOf(schema, schemas), null, indent)
}

function curlText({ method, path, operation }: Operation, body: string | undefined, base: string): string {
  const required = nodes(operation.parameters).filter((one) => one.required === true)
  const named = (place: string): readonly string[] =>
    required.filter((one) => one.in === place).map(({ name }) => text(name))
  const query = named('query').map((name) => `${name}=${shellWord(name)}`)
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => shellWord(name))
  const open = nodes(operation.security).length === 0
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`}${open ? '' : ' -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL"'}`,
    ...named('header').map((name) => `-H "${name}: ${name.toLowerCase()}-1"`),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${body.replaceAll("'", `'\\''`)}'`]),
    `"${base}${address}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
  ].join(' \\\n  ')
}

function shellWord(name: string): string {
  return `$${name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`
}
