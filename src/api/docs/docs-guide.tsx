import type { SessionState } from '../../domain/ports/sessions.ts'
import { type Node, node, Rows, text } from './docs-schema.tsx'

export function Credentials({ base }: { readonly base: string }) {
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

export function States() {
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

export function Events({ webhooks }: { readonly webhooks: Node }) {
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
