import type { FC } from 'hono/jsx'
import { Entry, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Warning } from '../../web/warning.tsx'
import { ownPasswordTexts } from './texts.ts'

export const LinkPasswordPage: FC<{
  frame: Frame
  action: string
  csrf: string
  typed: Typed
  chosen: boolean
  email?: string | undefined
}> = ({ frame, action, csrf, typed, chosen, email }) => {
  const { texts, root } = frame
  const words = ownPasswordTexts(frame)
  return (
    <Page frame={frame} title={words.choosePassword} narrow>
      <div class="card">
        <h1>{words.choosePassword}</h1>
        {chosen && (
          <>
            <p role="status">{words.passwordChosen}</p>
            <p>
              <a href={`${root}/login`}>{texts.signIn}</a>
            </p>
          </>
        )}
        {!chosen && email === undefined && <Warning>{words.linkIsUseless}</Warning>}
        {!chosen && email !== undefined && (
          <form method="post" action={action}>
            <p>{words.choosePasswordFor(email)}</p>
            <Sealed csrf={csrf} />
            <input type="hidden" name="username" autocomplete="username" value={email} />
            <Entry
              label={words.newPassword}
              name="newPassword"
              type="password"
              autocomplete="new-password"
              typed={typed}
              required
            />
            <Submit>{texts.save}</Submit>
          </form>
        )}
      </div>
    </Page>
  )
}
