import type { FC, PropsWithChildren } from 'hono/jsx'
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

type SaidProps = PropsWithChildren<{ frame: Frame; title: string; heading?: string }>

const SaidPage: FC<SaidProps> = ({ frame, title, heading = title, children }) => (
  <Page frame={frame} title={title} narrow>
    <div class="card">
      <h1>{heading}</h1>
      {children}
    </div>
  </Page>
)

type ErrorPageProps = { frame: Frame; fault: FaultName; detail?: string | undefined }

export const ErrorPage: FC<ErrorPageProps> = ({ frame, fault, detail }) => (
  <SaidPage frame={frame} title={frame.texts.errorTitle}>
    <p role="alert">{frame.texts.faults[fault]}</p>
    {detail !== undefined && <p class="warn host">{detail}</p>}
    {OF_OURS.has(fault) ? (
      <p>
        <a href={frame.root || '/'}>{frame.texts.toOverview}</a>
      </p>
    ) : (
      <p class="soft">{frame.texts.errorAdvice}</p>
    )}
  </SaidPage>
)

/** Cookies and forms are good for one origin: the configured one. */
export const OtherAddressPage: FC<{ frame: Frame; address: string }> = ({ frame, address }) => (
  <SaidPage frame={frame} title={frame.texts.errorTitle}>
    <p role="alert">{frame.texts.otherAddress}</p>
    <p class="host">
      <a href={address}>{address}</a>
    </p>
    <p class="soft">{frame.texts.otherAddressAdvice}</p>
  </SaidPage>
)

export const SignedOutPage: FC<{ frame: Frame }> = ({ frame }) => (
  <SaidPage frame={frame} title={frame.texts.signOut} heading={frame.texts.signedOut}>
    <p>
      <a href={`${frame.root}/login`}>{frame.texts.signIn}</a>
    </p>
  </SaidPage>
)

export const ConfirmSignOutPage: FC<{
  frame: Frame
  action: string
  csrf: string
  parameters: Readonly<Record<string, string>>
}> = ({ frame, action, csrf, parameters }) => (
  <SaidPage frame={frame} title={frame.texts.signOut} heading={frame.texts.confirmSignOut}>
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
  </SaidPage>
)
