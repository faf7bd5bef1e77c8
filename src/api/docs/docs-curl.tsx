/** One call as a command to copy, with an example of its body, and the form to try it. */
import { type Node, node, resolved, text } from './docs-schema.tsx'

export interface Call {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Node
}

/** `{name}` becomes a word of the shell to set first: `$NAME`. */
export function curlText(base: string, { method, path, operation }: Call, schemas: Node): string {
  const parameters = parametersOf(operation)
  const needed = parameters.filter((one) => one.in === 'query' && one.required === true)
  const query = needed.map((one) => `${text(one.name)}=$${shellName(text(one.name))}`).join('&')
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`)
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`}`]
  if (needsCredential(operation)) lines[0] += ' -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL"'
  for (const one of parameters) {
    if (one.in === 'header' && one.required === true)
      lines.push(`-H "${text(one.name)}: ${text(one.name).toLowerCase()}-1"`)
  }
  const body = bodyOf(operation, schemas)
  if (body !== undefined) lines.push('-H "Content-Type: application/json"', `-d '${body.replaceAll("'", `'\\''`)}'`)
  return [...lines, `"${base}${address}${query === '' ? '' : `?${query}`}"`].join(' \\\n  ')
}

function shellName(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
}

export function parametersOf(operation: Node): readonly Node[] {
  return Array.isArray(operation.parameters) ? operation.parameters.map(node) : []
}

function needsCredential({ security }: Node): boolean {
  return !Array.isArray(security) || security.length > 0
}

/** As JSON; undefined where there is none. */
export function bodyOf(operation: Node, schemas: Node): string | undefined {
  const schema = node(node(node(operation.requestBody).content)['application/json']).schema
  return schema === undefined ? undefined : JSON.stringify(exampleOf(node(schema), schemas))
}

/** What the first good answer looks like; undefined where it is no JSON. */
function answerOf(operation: Node, schemas: Node, answers: Node): string | undefined {
  const [, response] = Object.entries(node(operation.responses)).find(([status]) => status.startsWith('2')) ?? []
  const schema = node(node(resolved(node(response), answers).content)['application/json']).schema
  return schema === undefined ? undefined : JSON.stringify(exampleOf(node(schema), schemas), null, 2)
}

export function Example({ call, base, schemas, answers }: CallProps) {
  const answer = answerOf(call.operation, schemas, answers)
  return (
    <details class="example">
      <summary>Example</summary>
      <pre tabindex={0}>{curlText(base, call, schemas)}</pre>
      {answer !== undefined && (
        <>
          <p class="soft">Answers, for example</p>
          <pre tabindex={0}>{answer}</pre>
        </>
      )}
    </details>
  )
}

interface CallProps {
  readonly call: Call
  readonly base: string
  readonly schemas: Node
  readonly answers: Node
}

/** Hidden until the page's script shows it: without one it could do nothing. */
export function Try({ call, schemas }: Pick<CallProps, 'call' | 'schemas'>) {
  const { id, method, path, operation } = call
  const body = bodyOf(operation, schemas)
  return (
    <details class="try" hidden data-method={method.toUpperCase()} data-path={path}>
      <summary>Try it</summary>
      {parametersOf(operation).map((parameter) => (
        <label>
          <code>{text(parameter.name)}</code>
          {parameter.required === true ? '' : ' (optional)'}
          <input name={text(parameter.name)} data-in={text(parameter.in)} autocomplete="off" spellcheck={false} />
        </label>
      ))}
      {body !== undefined && (
        <label>
          Body
          <textarea name="body" data-in="body" rows={5} spellcheck={false} autocomplete="off">
            {body}
          </textarea>
        </label>
      )}
      <button type="button" aria-describedby={`${id}-answer`}>
        Send {method.toUpperCase()}
      </button>
      <pre id={`${id}-answer`} class="answer" tabindex={0} aria-live="polite" />
    </details>
  )
}

/** Schemas may name each other in circles. */
const DEEPEST = 5

function exampleOf(schema: Node, schemas: Node, depth = 0): unknown {
  const shape = resolved(schema, schemas)
  const { example, examples, const: constant, enum: values, default: usual, anyOf, oneOf, allOf } = shape
  if (example !== undefined) return example
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (constant !== undefined) return constant
  if (Array.isArray(values)) return values[0]
  if (usual !== undefined) return usual
  if (depth > DEEPEST) return {}
  const [first] = [anyOf, oneOf, allOf].flatMap((parts) => (Array.isArray(parts) ? (parts as Node[]) : []))
  if (first) return exampleOf(first, schemas, depth + 1)
  if (shape.properties !== undefined) return objectOf(shape, schemas, depth)
  if (shape.items !== undefined) return [exampleOf(node(shape.items), schemas, depth + 1)]
  return plain(shape)
}

function objectOf({ properties, required }: Node, schemas: Node, depth: number): Readonly<Record<string, unknown>> {
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const shown = Object.entries(node(properties)).filter(
    ([name, property]) => needed.includes(name) || 'example' in node(property),
  )
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(node(property), schemas, depth + 1)]))
}

function plain({ type, format, minimum, minLength }: Node): unknown {
  const [kind] = Array.isArray(type) ? (type as unknown[]) : [type]
  if (kind === 'boolean') return true
  if (kind === 'integer' || kind === 'number') return typeof minimum === 'number' && minimum > -1e9 ? minimum : 1
  if (kind === 'array') return []
  if (kind === 'object') return {}
  if (format === 'date-time') return '2026-08-01T12:00:00.000Z'
  if (format === 'uri') return 'https://example.com/hook'
  return 'x'.repeat(typeof minLength === 'number' && minLength > 3 ? minLength : 0) || 'text'
}
