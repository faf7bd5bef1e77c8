/** `/docs`: the description as one readable page; nothing from elsewhere, and one script that it reads well without. */
import { readFileSync } from 'node:fs'
import type { ApiDocument } from '../../src/api/docs/description.ts'
import { PROBLEM_TITLES } from '../../src/api/problem-codes.ts'
import type { SessionState } from '../../src/domain/ports/sessions.ts'
import { STYLE } from '../../src/web/fixed-document.ts'
import { exampleOf, mediaOf, type Node, node, nodes, Properties, Rows, resolved, TypeOf, text } from './docs-schema.tsx'

const DOCS_STYLE = `${STYLE}\n${readFileSync('src/web/style/docs.css', 'utf8')}`
const TRY_SCRIPT = readFileSync('src/web/try.js', 'utf8')

export function docsPage(document: ApiDocument): string {
  const schemas = node(document.components?.schemas)
  const base = text(document.servers?.[0]?.url)
  const shared = { base, schemas, answers: node(document.components?.responses) }
  const calls = operationsOf(document.paths)
  const sections = [...new Set(calls.map(tagOf))].map(
    (tag) => [tag, calls.filter((one) => tagOf(one) === tag)] as const,
  )
  sections.push(['What we send', [...operationsOf(document.webhooks)]])
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pilotwire API</title>
        <style dangerouslySetInnerHTML={{ __html: DOCS_STYLE }} />
      </head>
      <body class="house" data-base={URL.canParse(base) ? new URL(base).pathname.replace(/\/$/, '') : ''}>
        <nav class="side" aria-label="Operations" tabindex={0}>
          <IndexPart
            name="Pilotwire API"
            links={[
              ['credentials', 'Credentials'],
              ['session-states', 'States of a session'],
              ['events', 'Events'],
              ['objects', 'Objects'],
              ['problems', 'Problems'],
            ]}
          />
          {sections.map(([tag, operations]) => (
            <IndexPart name={tag} links={operations.map(({ id, operation }) => [id, text(operation.summary)])} />
          ))}
        </nav>
        <main>
          <h1>Pilotwire API</h1>
          <p>{text(document.info.description)}</p>
          <p>
            Machine-readable: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).
          </p>
          <h2 id="credentials">Credentials</h2>
          <Credentials base={base} />
          <h2 id="session-states">States of a session</h2>
          <States />
          <h2 id="events">Events</h2>
          <Events webhooks={node(document.webhooks)} />
          {sections.map(([tag, operations]) => [
            <h2>{tag}</h2>,
            operations.map((one) => <OperationArticle call={one} shared={shared} />),
          ])}
          <h2 id="objects">Objects</h2>
          {Object.entries(schemas).map(([name, schema]) => (
            <article id={`schema-${name}`}>
              <h3>{name}</h3>
              <p>{text(node(schema).description)}</p>
              {node(schema).properties === undefined && <TypeOf schema={node(schema)} />}
              <Properties schema={node(schema)} schemas={schemas} />
            </article>
          ))}
          <h2 id="problems">Problems</h2>
          <Rows
            rows={Object.entries(PROBLEM_TITLES).map(([code, title]) => [
              <code id={`problem-${code}`}>{code}</code>,
              title,
            ])}
          />
        </main>
        <script type="module" dangerouslySetInnerHTML={{ __html: TRY_SCRIPT }} />
      </body>
    </html>
  )
  return `<!doctype html>${String(page)}`
}

function IndexPart({ name, links }: { name: string; links: readonly (readonly [id: string, name: string])[] }) {
  return (
    <>
      <h2>{name}</h2>
      <ul>
        {links.map(([id, words]) => (
          <li>
            <a href={`#${id}`}>{words}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

function operationsOf(paths: unknown): readonly Operation[] {
  return Object.entries(node(paths)).flatMap(([path, methods]) =>
    Object.entries(node(methods)).map(([method, one]) => {
      const operation = node(one)
      return { id: text(operation.operationId) || `${method}-${path}`, method, path, operation }
    }),
  )
}

function OperationArticle({ call, shared }: { readonly call: Operation; readonly shared: Shared }) {
  const { id, method, path, operation } = call
  const { schemas, answers } = shared
  return (
    <article id={id}>
      {id === 'searchCommandsV1' && <span id="search-v1" />}
      <h3>{text(operation.summary)}</h3>
      <p>
        <span class="method">{method}</span> <code class={operation.deprecated ? 'deprecated' : ''}>{path}</code>
      </p>
      <p>{text(operation.description)}</p>
      <p class="soft">{accessSentence(nodes(operation.security))}</p>
      <Rows
        rows={nodes(operation.parameters).map(({ name, in: place, required, schema, description }) => [
          <code>{text(name)}</code>,
          `${text(place)}${required === true ? ', required' : ''}`,
          text(node(schema).description ?? description),
        ])}
      />
      {mediaOf(operation.requestBody).map(([, schema]) => [
        <p>
          Body: <TypeOf schema={schema} />
        </p>,
        <Properties schema={resolved(schema, schemas)} schemas={schemas} />,
      ])}
      <ul>
        {Object.entries(node(operation.responses)).map(([status, response]) => (
          <li>
            <code>{status}</code> {text(resolved(node(response), answers).description)}{' '}
            {mediaOf(resolved(node(response), answers)).map(([type, schema]) => [
              <code>{type}</code>,
              ' ',
              <TypeOf schema={schema} />,
            ])}
          </li>
        ))}
      </ul>
      {path.startsWith('/') && <CallToTry call={call} shared={shared} />}
    </article>
  )
}

function tagOf({ operation }: Operation): string {
  return text([operation.tags].flat()[0])
}

function accessSentence(ways: readonly Node[]): string {
  if (ways.length === 0) return 'Open to anyone.'
  if (ways.some((one) => 'webhookSignature' in one)) return 'Sent by this server, signed with your secret.'
  const scopes = ways.flatMap((one) => one.oauth ?? []).join(' ')
  return scopes === '' ? 'Needs an API credential.' : `Needs an API credential, or an access token with ${scopes}.`
}

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Node
}

interface Shared {
  readonly base: string
  readonly schemas: Node
  readonly answers: Node
}

/** The form is hidden until the page's script shows it: without one it could do nothing. */
function CallToTry({ call, shared }: { readonly call: Operation; readonly shared: Shared }) {
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

function Credentials({ base }: { readonly base: string }) {
  return (
    <article>
      <p>
        Every call carries <code>Authorization: Bearer …</code>. What stands there begins with its kind:
      </p>
      <Rows
        rows={[
          [
            <code>pwk_…</code>,
            'An API credential: it acts for the account. The first start prints one, the dashboard and “npm run pilotwire -- credential create --name my-app” make more. It is shown once.',
          ],
          [
            <code>pwa_…</code>,
            'An access token of OpenID Connect: it acts for the user who granted it, within its scopes and for the charge points that were shared. A missing scope is 403 insufficient_scope, what is not shared 404.',
          ],
        ]}
      />
      <pre tabindex={0}>{`export PILOTWIRE_API_CREDENTIAL=pwk_…
curl -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL" \\
  "${base}/2/sessions?limit=5&include=details"`}</pre>
      <label id="try" hidden>
        To try the calls below: your credential. It stays in this field of this page.
        <input id="credential" type="password" autocomplete="off" spellcheck={false} />
      </label>
    </article>
  )
}

const STATES: Readonly<Record<SessionState, readonly [x: number, y: number, sentence: string]>> = {
  pending: [10, 20, 'A start was accepted, or cable and card were seen; nothing flows yet.'],
  charging: [190, 20, 'Energy flows.'],
  suspended: [190, 150, 'Car or station holds it for now.'],
  finishing: [370, 20, 'A stop was accepted or charging ended; the transaction is still open.'],
  completed: [550, 20, 'It is over. Figures may still be corrected.'],
  failed: [10, 150, 'Refused, timed out, or rejected without energy.'],
}

/** The four tips: the policy of the page is no place for references to markers. */
const [LEFT, RIGHT, UP, DOWN] = ['m7-4-7 4 7 4', 'm-7-4 7 4-7 4', 'm-4 7 4-7 4 7', 'm-4-7 4 7 4-7']
const ARROWS = `M130 42h56${RIGHT} M235 64v82${DOWN} M265 150v-82${UP} M310 34h56${RIGHT} M370 54h-56${LEFT}
  M310 172h120v-104${UP} M490 42h56${RIGHT} M70 64v82${DOWN}`

function States() {
  return (
    <article>
      <svg class="states" viewBox="0 0 680 210" role="img" aria-labelledby="states-title states-text">
        <title id="states-title">States of a session</title>
        <desc id="states-text">
          From pending to charging, back and forth between charging and suspended, on to finishing and completed. From
          finishing back to charging where no one asked for the stop. From pending to failed. Steps may be skipped.
        </desc>
        <path d={ARROWS} />
        {Object.entries(STATES).map(([state, [x, y]]) => (
          <>
            <rect x={x} y={y} width="120" height="44" rx="10" />
            <text x={x + 60} y={y + 27} text-anchor="middle">
              {state}
            </text>
          </>
        ))}
      </svg>
      <p>
        Steps may be skipped. Only charging and suspended go back and forth, and finishing goes back where no one asked
        for the stop. <code>completed</code> and <code>failed</code> are never left. A lost connection is no transition.
      </p>
      <Rows rows={Object.entries(STATES).map(([state, [, , sentence]]) => [<code>{state}</code>, sentence])} />
    </article>
  )
}

function Events({ webhooks }: { readonly webhooks: Node }) {
  const events = Object.entries(webhooks).map(
    ([type, methods]) => [type, node(Object.values(node(methods))[0])] as const,
  )
  return (
    <article>
      <p>
        A webhook has the events that it names; <code>GET /2/events</code> has the same to fetch. Each is a CloudEvents
        envelope, signed with the secret of the webhook.
      </p>
      <Rows
        rows={events.map(([type, { operationId, summary, description }]) => [
          <a href={`#${text(operationId)}`}>
            <code>{type}</code>
          </a>,
          `${text(summary)}. ${text(description)}`,
        ])}
      />
    </article>
  )
}
