import type { FC } from 'hono/jsx'
import { Choice, Entry, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import type { Frame } from '../../web/layout.tsx'
import { ownPasswordTexts } from './texts.ts'

export interface Display {
  readonly language?: string | undefined
  readonly timeZone?: string | undefined
  readonly usualZone: string
}

/** In which language and time zone pages speak to the user (CONSOLE-F2). */
export const DisplayForm: FC<{
  readonly frame: Frame
  readonly csrf: string
  readonly typed: Typed
  readonly display: Display
}> = ({ frame, csrf, typed, display }) => {
  const { texts, root } = frame
  const words = ownPasswordTexts(frame)
  return (
    <form class="card" method="post" action={`${root}/account/display`}>
      <h2>{words.display}</h2>
      <Sealed csrf={csrf} />
      <Choice
        label={texts.language}
        name="language"
        typed={typed}
        value={display.language}
        options={{ '': words.ofBrowser, ...texts.languages }}
      />
      <Entry
        label={texts.timeZone}
        name="timeZone"
        typed={typed}
        value={display.timeZone}
        list="zones"
        hint={words.timeZoneHint(display.usualZone)}
      />
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option value={zone} />
        ))}
      </datalist>
      <Submit>{texts.save}</Submit>
    </form>
  )
}
