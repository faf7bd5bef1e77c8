import type { Child } from 'hono/jsx'

export type Node = Readonly<Record<string, unknown>>

export function node(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {}
}

export function nodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.map(node) : []
}

export function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}

export function resolved(schema: Node, shared: Node): Node {
  return typeof schema.$ref === 'string' ? node(shared[lastPart(schema.$ref)]) : schema
}

export function mediaOf(body: unknown): readonly (readonly [type: string, schema: Node])[] {
  return Object.entries(node(node(body).content)).map(([type, media]) => [type, node(node(media).schema)])
}

function lastPart(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

export function Rows({ rows }: { readonly rows: readonly (readonly [about: Child, ...cells: Child[]])[] }) {
  if (rows.length === 0) return null
  return (
    <table>
      {rows.map(([about, ...cells]) => (
        <tr>
          <th scope="row">{about}</th>
          {cells.map((cell) => (
            <td>{cell}</td>
          ))}
        </tr>
      ))}
    </table>
  )
}

export function Properties({ schema, schemas }: { readonly schema: Node; readonly schemas: Node }) {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const rows = Object.entries(node(schema.properties)).map(([name, member]): [Child, Child, Child] => [
    [<code>{name}</code>, required.includes(name) ? '' : '?'],
    <TypeOf schema={node(member)} />,
    text(node(member).description ?? resolved(node(member), schemas).description),
  ])
  return <Rows rows={rows} />
}

export function TypeOf({ schema }: { readonly schema: Node }): Child {
  const { $ref, items, type, enum: values, const: constant, anyOf, oneOf, format, properties } = schema
  if (typeof $ref === 'string') return <a href={`#schema-${lastPart($ref)}`}>{lastPart($ref)}</a>
  if (items !== undefined) return ['list of ', <TypeOf schema={node(items)} />]
  if (Array.isArray(values)) return <code>{values.map(String).join(' | ')}</code>
  if (properties !== undefined) return ['object of ', <code>{Object.keys(node(properties)).join(' ')}</code>]
  if (constant !== undefined) return <code>{text(constant)}</code>
  const ways = nodes(anyOf ?? oneOf)
  if (ways.length > 0) return ways.map((one, index) => [index > 0 ? ' or ' : '', <TypeOf schema={one} />])
  return [[type ?? 'any'].flat().join(' or '), text(format)].filter(Boolean).join(', ')
}

/** Schemas may name each other in circles. */
const DEEPEST = 5

export function exampleOf(schema: Node, schemas: Node, depth = 0): unknown {
  const shape = resolved(schema, schemas)
  const first = [[shape.example], shape.examples, [shape.const], shape.enum, [shape.default]]
    .flatMap((one) => (Array.isArray(one) ? (one as unknown[]) : []))
    .find((one) => one !== undefined)
  if (first !== undefined) return first
  if (depth > DEEPEST) return {}
  const inner = (one: unknown): unknown => exampleOf(node(one), schemas, depth + 1)
  const [way] = [shape.anyOf, shape.oneOf, shape.allOf].flatMap(nodes)
  if (way !== undefined) return inner(way)
  if (shape.properties !== undefined) {
    const required: readonly unknown[] = Array.isArray(shape.required) ? shape.required : []
    const members = Object.entries(node(shape.properties))
    const shown = members.filter(([name, member]) => required.includes(name) || 'example' in node(member))
    return Object.fromEntries(shown.map(([name, member]) => [name, inner(member)]))
  }
  return shape.items === undefined ? plainest(shape) : [inner(shape.items)]
}

function plainest({ type, format, minimum, minLength }: Node): unknown {
  const [kind] = [type].flat()
  if (kind === 'boolean') return true
  if (kind === 'integer' || kind === 'number') return typeof minimum === 'number' && minimum > -1e9 ? minimum : 1
  if (kind === 'array') return []
  if (kind === 'object') return {}
  if (format === 'date-time') return '2026-08-01T12:00:00.000Z'
  if (format === 'uri') return 'https://example.com/hook'
  return 'x'.repeat(typeof minLength === 'number' && minLength > 3 ? minLength : 0) || 'text'
}
