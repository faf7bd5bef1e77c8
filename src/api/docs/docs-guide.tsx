/** The chapters of `/docs` in front of the operations: credentials, the states of a session, and the events. */
import type { SessionState } from '../../domain/ports/sessions.ts'
import { type Node, node, text } from './docs-schema.tsx'

/** Where the chapters are, for the index. */
export const CHAPTERS: readonly (readonly [id: string, name: string])[] = [
  ['credentials', 'Credentials'],
  ['session-states', 'States of a session'],
  ['events', 'Events'],
]

export function Guide({ base, webhooks }: { readonly base: string; readonly webhooks: Node }) {
  return (
    <>
      <Credentials base={base} />
      <States />
      <Events webhooks={webhooks} />
    </>
  )
}

function Credentials({ base }: { readonly base: string }) {
  return (
    <section>
      <h2 id="credentials">Credentials</h2>
      <article>
        <p>
          Every call carries <code>Authorization: Bearer …</code>. What stands there begins with its kind:
        </p>
        <table>
          <tr>
            <th scope="row">
              <code>pwk_…</code>
            </th>
            <td>
              An API credential: it acts for the account. The first start prints one, the dashboard and{' '}
              <code>npm run pilotwire -- credential create --name my-app</code> make more. It is shown once.
            </td>
          </tr>
          <tr>
            <th scope="row">
              <code>pwa_…</code>
            </th>
            <td>
              An access token of OpenID Connect: it acts for the user who granted it, within its scopes and for the
              charge points that were shared. A missing scope is 403 <code>insufficient_scope</code>, what is not shared
              404.
            </td>
          </tr>
        </table>
        <pre tabindex={0}>{`export PILOTWIRE_API_CREDENTIAL=pwk_…
curl -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL" \\
  "${base}/2/sessions?limit=5&include=details"`}</pre>
        <div id="try" hidden>
          <label>
            To try the calls below: your credential. It stays in this field of this page.
            <input id="credential" type="password" autocomplete="off" spellcheck={false} />
          </label>
        </div>
      </article>
    </section>
  )
}

const STATES: Readonly<Record<SessionState, string>> = {
  pending: 'A start was accepted, or cable and card were seen; nothing flows yet.',
  charging: 'Energy flows.',
  suspended: 'Car or station holds it for now.',
  finishing: 'A stop was accepted or charging ended; the transaction is still open.',
  completed: 'It is over. Figures may still be corrected.',
  failed: 'Refused, timed out, or rejected without energy.',
}

/** Where each box stands. */
const BOXES: Readonly<Record<SessionState, readonly [x: number, y: number]>> = {
  pending: [10, 20],
  charging: [190, 20],
  suspended: [190, 150],
  finishing: [370, 20],
  completed: [550, 20],
  failed: [10, 150],
}
const [WIDTH, HEIGHT] = [120, 44]

/** Each with its tip: the policy of the page is no place for references. */
const ARROWS: readonly string[] = [
  `M130 42 H186 ${tip(186, 42, 'right')}`,
  `M235 64 V146 ${tip(235, 146, 'down')}`,
  `M265 150 V68 ${tip(265, 68, 'up')}`,
  `M310 34 H366 ${tip(366, 34, 'right')}`,
  `M370 54 H314 ${tip(314, 54, 'left')}`,
  `M310 172 H430 V68 ${tip(430, 68, 'up')}`,
  `M490 42 H546 ${tip(546, 42, 'right')}`,
  `M70 64 V146 ${tip(70, 146, 'down')}`,
]

function tip(x: number, y: number, to: 'left' | 'right' | 'up' | 'down'): string {
  const back = to === 'left' || to === 'up' ? 7 : -7
  return to === 'left' || to === 'right'
    ? `M${x + back} ${y - 4} L${x} ${y} L${x + back} ${y + 4}`
    : `M${x - 4} ${y + back} L${x} ${y} L${x + 4} ${y + back}`
}

function States() {
  return (
    <section>
      <h2 id="session-states">States of a session</h2>
      <article>
        <svg class="states" viewBox="0 0 680 210" role="img" aria-labelledby="states-title states-text">
          <title id="states-title">States of a session</title>
          <desc id="states-text">
            From pending to charging, back and forth between charging and suspended, on to finishing and completed. From
            finishing back to charging where nobody asked for the stop. From pending to failed. Steps may be skipped.
          </desc>
          {ARROWS.map((path) => (
            <path class="arrow" d={path} />
          ))}
          {Object.entries(BOXES).map(([state, [x, y]]) => (
            <g class={state === 'completed' || state === 'failed' ? 'last' : ''}>
              <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="10" />
              <text x={x + WIDTH / 2} y={y + HEIGHT / 2 + 5} text-anchor="middle">
                {state}
              </text>
            </g>
          ))}
        </svg>
        <p>
          Steps may be skipped. Only charging and suspended go back and forth, and finishing goes back where nobody
          asked for the stop. <code>completed</code> and <code>failed</code> are never left. A lost connection is no
          transition.
        </p>
        <table>
          {Object.entries(STATES).map(([state, sentence]) => (
            <tr>
              <th scope="row">
                <code>{state}</code>
              </th>
              <td>{sentence}</td>
            </tr>
          ))}
        </table>
      </article>
    </section>
  )
}

function Events({ webhooks }: { readonly webhooks: Node }) {
  return (
    <section>
      <h2 id="events">Events</h2>
      <article>
        <p>
          A webhook has the events that it names; <code>GET /2/events</code> has the same to fetch. Each is a
          CloudEvents envelope, signed with the secret of the webhook.
        </p>
        <table>
          {Object.entries(webhooks).map(([type, methods]) => {
            const operation = node(Object.values(node(methods))[0])
            return (
              <tr>
                <th scope="row">
                  <a href={`#${text(operation.operationId)}`}>
                    <code>{type}</code>
                  </a>
                </th>
                <td>
                  {text(operation.summary)}. {text(operation.description)}
                </td>
              </tr>
            )
          })}
        </table>
      </article>
    </section>
  )
}
