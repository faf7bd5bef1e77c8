/** An example of a value as its schema describes it: what must be there, and what has an example of its own. */
import { type Node, node, resolved } from './docs-schema.tsx'

/** Schemas may name each other in circles. */
const DEEPEST = 5

export function exampleOf(schema: Node, schemas: Node, depth = 0): unknown {
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
