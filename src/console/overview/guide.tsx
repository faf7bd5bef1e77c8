import type { FC } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import { QrCode } from '../../web/qr-code.tsx'
import { overviewTexts } from '../kit/texts.ts'

/** What an empty database shows in place of figures (CONSOLE-A14). */
export const Guide: FC<{ frame: Frame; baseUrl: string; administrator: boolean; acts: boolean }> = ({
  frame,
  baseUrl,
  administrator,
  acts,
}) => {
  const words = overviewTexts(frame)
  const address = `${baseUrl.replace(/^http/, 'ws')}/ocpp/`
  return (
    <>
      <p>
        <strong>{words.begin}.</strong> {words.beginLead}
      </p>
      <section class="card guide">
        <h2>{words.station}</h2>
        <div class="beside">
          <div>
            <p>{words.stationAddress}</p>
            <p>
              <input class="copied" readonly value={address} aria-label={words.station} />
            </p>
            <p class="soft">{words.stationIdentity}</p>
            {acts && (
              <p>
                {words.stationRegister} <a href={`${frame.root}/new-charge-point`}>{words.addStation}</a>
              </p>
            )}
          </div>
          <QrCode text={address} label={words.qr} />
        </div>
      </section>
      <section class="card">
        <h2>{words.simulator}</h2>
        <p>{words.simulatorLead}</p>
        <pre tabindex={0}>npm run simulate</pre>
      </section>
      <section class="card">
        <h2>{words.card}</h2>
        <p>{words.cardLead}</p>
        <pre tabindex={0}>
          {`curl -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL" -H "Content-Type: application/json" \\
  -d '{"id":"04A2B3C4D5E6F7"}' ${baseUrl}/2/id-tokens`}
        </pre>
      </section>
      <section class="card">
        <h2>{words.app}</h2>
        <p>{words.appLead}</p>
        <p>
          {administrator && (
            <>
              <a href={`${frame.root}/developer/clients`}>{frame.texts.newApplication}</a>
              {' · '}
            </>
          )}
          <a href={`${baseUrl}/docs`}>{words.reference}</a>
        </p>
      </section>
    </>
  )
}
