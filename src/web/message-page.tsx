import type { FC } from 'hono/jsx'
import { type Frame, Page } from './entries.tsx'
import type { FaultName } from './texts.ts'

const OF_OURS: ReadonlySet<FaultName> = new Set([
  'not_found',
  'forbidden',
  'bad_form',
  'forged',
  'unavailable',
  'failed',
])

type ErrorPageProps = { frame: Frame; fault: FaultName; detail?: string | undefined }

export const ErrorPage: FC<ErrorPageProps> = ({ frame, fault, detail }) => (
  <Page frame={frame} title={frame.texts.errorTitle} narrow>
    <div class="card">
      <h1>{frame.texts.errorTitle}</h1>
      <p role="alert">{frame.texts.faults[fault]}</p>
      {detail !== undefined && <p class="warn host">{detail}</p>}
      {OF_OURS.has(fault) ? (
        <p>
          <a href={frame.root || '/'}>{frame.texts.toOverview}</a>
        </p>
      ) : (
        <p class="soft">{frame.texts.errorAdvice}</p>
      )}
    </div>
  </Page>
)

/** Cookies and forms are good for one origin: the configured one. */
export const OtherAddressPage: FC<{ frame: Frame; address: string }> = ({ frame, address }) => (
  <Page frame={frame} title={frame.texts.errorTitle} narrow>
    <div class="card">
      <h1>{frame.texts.errorTitle}</h1>
      <p role="alert">{frame.texts.otherAddress}</p>
      <p class="host">
        <a href={address}>{address}</a>
      </p>
      <p class="soft">{frame.texts.otherAddressAdvice}</p>
    </div>
  </Page>
)

export const SignedOutPage: FC<{ frame: Frame }> = ({ frame }) => (
  <Page frame={frame} title={frame.texts.signOut} narrow>
    <div class="card">
      <h1>{frame.texts.signedOut}</h1>
      <p>
        <a href={`${frame.root}/login`}>{frame.texts.signIn}</a>
      </p>
    </div>
  </Page>
)

export const ConfirmSignOutPage: FC<{
  frame: Frame
  action: string
  csrf: string
  parameters: Readonly<Record<string, string>>
}> = ({ frame, action, csrf, parameters }) => (
  <Page frame={frame} title={frame.texts.signOut} narrow>
    <div class="card">
      <h1>{frame.texts.confirmSignOut}</h1>
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        {Object.entries(parameters).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <div class="actions">
          <button class="main" type="submit" name="confirm" value="yes">
            {frame.texts.signOut}
          </button>
        </div>
      </form>
    </div>
  </Page>
)
