/** `/docs`: the description as one readable page; nothing from elsewhere, no script. */
import { createHash } from 'node:crypto'
import type { ApiDocument } from './description.ts'
import { PROBLEM_TITLES } from './problem-codes.ts'

type Node = Readonly<Record<string, unknown>>

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Node
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:60rem;padding:1rem}
nav ul{columns:2;padding-left:1.2rem}
h2{border-bottom:1px solid;margin-top:2.5rem}
article{margin:2rem 0}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid #8885}
.method{font-weight:700;text-transform:uppercase}
.deprecated{text-decoration:line-through}`

/** The page allows itself nothing but its own style sheet. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function docsPage(document: ApiDocument): string {
  const operations = operationsOf(document.paths)
  const webhooks = operationsOf(document.webhooks)
  const tags = [...new Set(operations.map(({ operation }) => tagOf(operation)))]
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pilotwire API</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <header>
          <h1>Pilotwire API</h1>
          <p>{text(document.info.description)}</p>
          <p>
            Machine-readable: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).
          </p>
        </header>
        <nav aria-label="Operations">
          <ul>
            {[...operations, ...webhooks].map(({ id, operation }) => (
              <li>
                <a href={`#${id}`}>{text(operation.summary)}</a>
              </li>
            ))}
          </ul>
        </nav>
        <main>
          {tags.map((tag) => (
            <section>
              <h2>{tag}</h2>
              {operations
                .filter(({ operation }) => tagOf(operation) === tag)
                .map((one) => (
                  <OperationArticle {...one} shared={node(document.components?.responses)} />
                ))}
            </section>
          ))}
          <section>
            <h2>Webhooks</h2>
            {webhooks.map((one) => (
              <OperationArticle {...one} shared={{}} />
            ))}
          </section>
          <section>
            <h2>Objects</h2>
            {Object.entries(node(document.components?.schemas)).map(([name, schema]) => (
              <article id={`schema-${name}`}>
                <h3>{name}</h3>
                <Properties schema={node(schema)} />
              </article>
            ))}
          </section>
          <ProblemTable />
        </main>
      </body>
    </html>
  )
  return `<!doctype html>${String(page)}`
}

function OperationArticle({ id, method, path, operation, shared }: Operation & { readonly shared: Node }) {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters.map(node) : []
  const body = node(node(operation.requestBody).content)
  return (
    <article id={id}>
      {id === 'searchCommandsV1' && <span id="search-v1" />}
      <h3>{text(operation.summary)}</h3>
      <p>
        <span class="method">{method}</span> <code class={operation.deprecated ? 'deprecated' : ''}>{path}</code>
      </p>
      {operation.description !== undefined && <p>{text(operation.description)}</p>}
      <p>{accessSentence(operation.security)}</p>
      {parameters.length > 0 && (
        <table>
          <caption>Parameters</caption>
          {parameters.map((parameter) => (
            <tr>
              <th scope="row">
                <code>{text(parameter.name)}</code>
              </th>
              <td>
                {text(parameter.in)}
                {parameter.required ? ', required' : ''}
              </td>
              <td>{text(node(parameter.schema).description ?? parameter.description)}</td>
            </tr>
          ))}
        </table>
      )}
      {Object.values(body).map((media) => (
        <p>
          Body: <TypeOf schema={node(node(media).schema)} />
        </p>
      ))}
      <ul>
        {Object.entries(node(operation.responses)).map(([status, response]) => (
          <ResponseItem status={status} response={resolved(node(response), shared)} />
        ))}
      </ul>
    </article>
  )
}

function ResponseItem({ status, response }: { readonly status: string; readonly response: Node }) {
  return (
    <li>
      <code>{status}</code> {text(response.description)}{' '}
      {Object.entries(node(response.content)).map(([type, media]) => (
        <>
          <code>{type}</code> <TypeOf schema={node(node(media).schema)} />{' '}
        </>
      ))}
    </li>
  )
}

function resolved(response: Node, shared: Node): Node {
  return typeof response.$ref === 'string' ? node(shared[response.$ref.split('/').at(-1) ?? '']) : response
}

function Properties({ schema }: { readonly schema: Node }) {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return (
    <table>
      {Object.entries(node(schema.properties)).map(([name, property]) => (
        <tr>
          <th scope="row">
            <code>{name}</code>
            {required.includes(name) ? '' : '?'}
          </th>
          <td>
            <TypeOf schema={node(property)} />
          </td>
          <td>{text(node(property).description)}</td>
        </tr>
      ))}
    </table>
  )
}

function TypeOf({ schema }: { readonly schema: Node }) {
  const { $ref, items, type, enum: values, const: constant, anyOf, oneOf, format } = schema
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
  if (Array.isArray(values)) return <code>{values.join(' | ')}</code>
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

function ProblemTable() {
  return (
    <section>
      <h2 id="problems">Problems</h2>
      <table>
        {Object.entries(PROBLEM_TITLES).map(([code, title]) => (
          <tr id={`problem-${code}`}>
            <th scope="row">
              <code>{code}</code>
            </th>
            <td>{title}</td>
          </tr>
        ))}
      </table>
    </section>
  )
}

function operationsOf(paths: unknown): readonly Operation[] {
  return Object.entries(node(paths)).flatMap(([path, methods]) =>
    Object.entries(node(methods)).map(([method, operation]) => {
      const id = text(node(operation).operationId) || `${method}-${path}`
      return { id, method, path, operation: node(operation) }
    }),
  )
}

function accessSentence(security: unknown): string {
  if (!Array.isArray(security)) return ''
  if (security.length === 0) return 'Open to anyone.'
  if (security.some((one) => 'webhookSignature' in node(one))) return 'Sent by this server, signed with your secret.'
  const scopes = security.flatMap((one) => node(one).oauth ?? []).join(' ')
  return scopes === '' ? 'Needs an API credential.' : `Needs an API credential, or an access token with ${scopes}.`
}

function tagOf(operation: Node): string {
  return Array.isArray(operation.tags) ? text(operation.tags[0]) : ''
}

function node(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {}
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}
