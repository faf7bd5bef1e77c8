import type { FC } from 'hono/jsx'
import type { AuditEvent, LoginSession } from '../../domain/ports/storage-oidc.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Ago, shownTime } from '../../web/times.tsx'
import { doneWords } from '../../web/words/audit-words.ts'
import { ownPasswordTexts } from './texts.ts'

/** The user's login sessions, each of which can be ended (OIDC-L6), and what happened lately. */
export const SignInsPage: FC<{
  frame: Frame
  sessions: readonly LoginSession[]
  currentSid: string
  csrf: string
  events: readonly AuditEvent[]
}> = ({ frame, sessions, currentSid, csrf, events }) => {
  const { texts, root } = frame
  return (
    <Page frame={frame} title={texts.signIns}>
      <h1>{texts.signIns}</h1>
      <p>
        <a href={`${root}/account`}>{ownPasswordTexts(frame).ownPassword}</a>
      </p>
      {sessions.map(({ sid, userAgent, ip, createdAt, lastSeenAt }) => (
        <section class="card">
          <dl>
            <dt>{texts.from}</dt>
            <dd>
              {ip} <span class="soft">{userAgent}</span>
            </dd>
            <dt>{texts.since}</dt>
            <dd>
              <Ago frame={frame} at={createdAt} />
            </dd>
            <dt>{texts.lastSeen}</dt>
            <dd>{sid === currentSid ? texts.thisBrowser : shownTime(frame, lastSeenAt)}</dd>
          </dl>
          <form method="post" action={`${root}/sign-ins/${sid}/end`}>
            <input type="hidden" name="csrf" value={csrf} />
            <button type="submit">{texts.endSignIn}</button>
          </form>
        </section>
      ))}
      <TableCard<AuditEvent>
        heading={texts.activity}
        oneLine
        rows={events}
        columns={[
          { kind: 'time', width: 136, cell: ({ at }) => <Ago frame={frame} at={at} /> },
          { cell: ({ kind }) => doneWords(frame, kind) },
          { kind: 'time', width: 136, wideOnly: true, text: ({ ip }) => ip },
        ]}
      />
    </Page>
  )
}
