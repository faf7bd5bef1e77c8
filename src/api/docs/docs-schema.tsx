/** Schemas of the API's description as a reader sees them: members, their types, links to the named ones. */

export type Node = Readonly<Record<string, unknown>>

/** What a reference names among the shared ones, or itself. */
export function resolved(schema: Node, schemas: Node): Node {
  return typeof schema.$ref === 'string' ? node(schemas[schema.$ref.split('/').at(-1) ?? '']) : schema
}

/** @param schemas the named ones, whose descriptions hold for the members that refer to them */
export function Properties({ schema, schemas }: { readonly schema: Node; readonly schemas: Node }) {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const properties = Object.entries(node(schema.properties))
  if (properties.length === 0) return null
  return (
    <table>
      {properties.map(([name, property]) => (
        <tr>
          <th scope="row">
            <code>{name}</code>
            {required.includes(name) ? '' : '?'}
          </th>
          <td>
            <TypeOf schema={node(property)} />
          </td>
          <td>{text(node(property).description ?? resolved(node(property), schemas).description)}</td>
        </tr>
      ))}
    </table>
  )
}

export function TypeOf({ schema }: { readonly schema: Node }) {
  const { $ref, items, type, enum: values, const: constant, anyOf, oneOf, format, properties } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? ''
    return <a href={`#schema-${name}`}>{name}</a>
  }
  if (items !== undefined) {
    return (
      <>
        list of <TypeOf schema={node(items)} />
      </>
    )
  }
  if (Array.isArray(values)) return <code>{values.map(String).join(' | ')}</code>
  if (properties !== undefined) {
    return (
      <>
        object of <code>{Object.keys(node(properties)).join(' ')}</code>
      </>
    )
  }
  if (constant !== undefined) return <code>{text(constant)}</code>
  const alternatives = anyOf ?? oneOf
  if (Array.isArray(alternatives)) {
    return (
      <>
        {alternatives.map((one, index) => (
          <>
            {index > 0 ? ' or ' : ''}
            <TypeOf schema={node(one)} />
          </>
        ))}
      </>
    )
  }
  return <>{[Array.isArray(type) ? type.join(' or ') : text(type ?? 'any'), text(format)].filter(Boolean).join(', ')}</>
}

export function node(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {}
}

export function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}
