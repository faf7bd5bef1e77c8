import type { Child, FC, PropsWithChildren } from 'hono/jsx'

type Up = readonly [to: string, text: Child]

export const Crumb: FC<{ ways: readonly (Up | false | undefined)[] }> = ({ ways }) => (
  <p class="crumb">
    {ways
      .filter((way) => way !== false && way !== undefined)
      .map(([to, text], at) => (
        <>
          {at > 0 && ' / '}
          <a href={to}>
            <bdi>{text}</bdi>
          </a>
        </>
      ))}
  </p>
)

interface TitleProps {
  readonly text: Child
  readonly said?: Child | undefined
  readonly up?: readonly (Up | false | undefined)[] | undefined
}

export const Title: FC<PropsWithChildren<TitleProps>> = ({ text, said, up, children }) => (
  <>
    {up && <Crumb ways={up} />}
    <div class="title">
      <h1>{text}</h1>
      {said !== undefined && <span class="soft">{said}</span>}
      {children !== undefined && <span class="row end">{children}</span>}
    </div>
  </>
)
