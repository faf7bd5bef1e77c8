/** The frame of every page. Only the operator's pages run a script (live.js), and work without it. */
import type { FC, PropsWithChildren } from 'hono/jsx'
import { UNPRINTABLE } from '../domain/typed-text.ts'
import { LIVE_MODULE_PATH, STYLE_PATH } from './assets.ts'
import type { Frame } from './frame/frame.ts'
import { Head } from './frame/head.tsx'
import { Icon } from './frame/icons.tsx'
import { SideBar } from './frame/side-bar.tsx'

export type { Frame } from './frame/frame.ts'

export const Page: FC<
  PropsWithChildren<{
    frame: Frame
    title: string
    narrow?: boolean | undefined
    wide?: boolean | undefined
    live?: boolean | undefined
  }>
> = ({ frame, title, narrow, wide, live, children }) => (
  <html lang={frame.language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      {/* A title is no place for isolation: what turns the text behind it is left out. */}
      <title>{title.replaceAll(UNPRINTABLE, ' ')} · Pilotwire</title>
      <link rel="icon" type="image/svg+xml" href={`${frame.root}/assets/icon.svg`} />
      <link rel="stylesheet" href={`${frame.root}${STYLE_PATH}`} />
      {frame.scripted && <script type="module" src={frame.root + LIVE_MODULE_PATH} />}
    </head>
    <body>
      <a class="skip" href="#content">
        {frame.texts.skip}
      </a>
      {frame.visitor ? (
        <div class="house">
          <SideBar frame={frame} visitor={frame.visitor} />
          <div>
            <Head frame={frame} visitor={frame.visitor} live={live ?? false} />
            <main id="content" tabindex={-1} class={narrow ? 'narrow' : wide ? undefined : 'read'}>
              {children}
            </main>
          </div>
        </div>
      ) : (
        <div class={narrow ? 'alone' : 'alone open'}>
          <header class="brand">
            <Icon name="brand" />
            Pilotwire
          </header>
          <main id="content" tabindex={-1}>
            {children}
          </main>
        </div>
      )}
    </body>
  </html>
)

export const Field: FC<{
  label: string
  name: string
  type?: string | undefined
  value?: string | undefined
  inputmode?: 'email' | undefined
  autocomplete?: string | undefined
  required?: boolean | undefined
  autofocus?: boolean | undefined
  offered?: readonly string[] | undefined
}> = ({ label, name, type = 'text', value, inputmode, autocomplete = 'off', required, autofocus, offered }) => (
  <label class="field">
    <span>{label}</span>
    <input
      type={type}
      name={name}
      value={value ?? ''}
      inputmode={inputmode}
      autocapitalize={inputmode && 'none'}
      autocomplete={autocomplete}
      required={required}
      autofocus={autofocus}
      list={offered && `${name}-offered`}
    />
    {offered && (
      <datalist id={`${name}-offered`}>
        {offered.map((one) => (
          <option value={one} />
        ))}
      </datalist>
    )}
  </label>
)
