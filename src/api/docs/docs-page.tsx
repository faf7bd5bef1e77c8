/** `/docs`: the description as one readable page; nothing from elsewhere, and one script that it reads well without. */
import { createHash } from 'node:crypto'
import { PROBLEM_TITLES } from '../problem-codes.ts'
import type { ApiDocument } from './description.ts'
import { Example, parametersOf, Try } from './docs-curl.tsx'
import { CHAPTERS, Guide } from './docs-guide.tsx'
import { type Node, node, Properties, resolved, TypeOf, text } from './docs-schema.tsx'
import { DOCS_STYLE } from './docs-style.ts'
import { TRY_HASH, TRY_SCRIPT } from './docs-try.ts'

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Node
}

/** The page allows itself nothing but its own style sheet and script, and calls of this server. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'; script-src 'sha256-${TRY_HASH}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function docsPage(document: ApiDocument): string {
  const sections = sectionsOf(document)
  const schemas = node(document.components?.schemas)
  const answers = node(document.components?.responses)
  const base = text(document.servers?.[0]?.url)
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pilotwire API</title>
        <style dangerouslySetInnerHTML={{ __html: DOCS_STYLE }} />
      </head>
      <body data-base={URL.canParse(base) ? new URL(base).pathname.replace(/\/$/, '') : ''}>
        <div class="page">
          <header>
            <h1>Pilotwire API</h1>
            <p>{text(document.info.description)}</p>
            <p>
              Machine-readable: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).
            </p>
          </header>
          <Index sections={sections} />
          <main>
            <Guide base={base} webhooks={node(document.webhooks)} />
            {sections.map(({ tag, operations }) => (
              <section>
                <h2>{tag}</h2>
                {operations.map((one) => (
                  <OperationArticle {...one} base={base} schemas={schemas} answers={answers} />
                ))}
              </section>
            ))}
            <section>
              <h2 id="objects">Objects</h2>
              {Object.entries(schemas).map(([name, schema]) => (
                <article id={`schema-${name}`}>
                  <h3>{name}</h3>
                  {node(schema).description !== undefined && <p>{text(node(schema).description)}</p>}
                  {node(schema).properties === undefined && (
                    <p>
                      <TypeOf schema={node(schema)} />
                    </p>
                  )}
                  <Properties schema={node(schema)} schemas={schemas} />
                </article>
              ))}
            </section>
            <ProblemTable />
          </main>
        </div>
        <script type="module" dangerouslySetInnerHTML={{ __html: TRY_SCRIPT }} />
      </body>
    </html>
  )
  return `<!doctype html>${String(page)}`
}

interface Section {
  readonly tag: string
  readonly operations: readonly Operation[]
}

function sectionsOf(document: ApiDocument): readonly Section[] {
  const operations = operationsOf(document.paths)
  const tags = [...new Set(operations.map(({ operation }) => tagOf(operation)))]
  return [
    ...tags.map((tag) => ({ tag, operations: operations.filter(({ operation }) => tagOf(operation) === tag) })),
    { tag: 'What we send', operations: operationsOf(document.webhooks) },
  ]
}

function Index({ sections }: { readonly sections: readonly Section[] }) {
  return (
    <nav aria-label="Operations" tabindex={0}>
      <h2>First</h2>
      <ul>
        {CHAPTERS.map(([id, name]) => (
          <li>
            <a href={`#${id}`}>{name}</a>
          </li>
        ))}
      </ul>
      {sections.map(({ tag, operations }) => (
        <>
          <h2>{tag}</h2>
          <ul>
            {operations.map(({ id, method, path, operation }) => (
              <li>
                <a href={`#${id}`} title={path}>
                  <span class="method">{method}</span>
                  <span class={operation.deprecated ? 'deprecated' : ''}>{text(operation.summary)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
      <h2>Reference</h2>
      <ul>
        <li>
          <a href="#objects">Objects</a>
        </li>
        <li>
          <a href="#problems">Problems</a>
        </li>
      </ul>
    </nav>
  )
}

function OperationArticle({
  id,
  method,
  path,
  operation,
  base,
  schemas,
  answers,
}: Operation & { readonly base: string; readonly schemas: Node; readonly answers: Node }) {
  const parameters = parametersOf(operation)
  const call = { id, method, path, operation }
  // What we send has no address here.
  const isCall = path.startsWith('/')
  const body = node(node(operation.requestBody).content)
  return (
    <article id={id}>
      {id === 'searchCommandsV1' && <span id="search-v1" />}
      <h3>{text(operation.summary)}</h3>
      <p>
        <span class="method">{method}</span> <code class={operation.deprecated ? 'deprecated' : ''}>{path}</code>
      </p>
      {operation.description !== undefined && <p>{text(operation.description)}</p>}
      <p class="soft">{accessSentence(operation.security)}</p>
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
        <>
          <p>
            Body: <TypeOf schema={node(node(media).schema)} />
          </p>
          <Properties schema={resolved(node(node(media).schema), schemas)} schemas={schemas} />
        </>
      ))}
      <ul>
        {Object.entries(node(operation.responses)).map(([status, response]) => (
          <ResponseItem status={status} response={resolved(node(response), answers)} />
        ))}
      </ul>
      {isCall && <Example call={call} base={base} schemas={schemas} answers={answers} />}
      {isCall && <Try call={call} schemas={schemas} />}
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
