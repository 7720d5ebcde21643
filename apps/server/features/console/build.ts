import { WebBuild } from '../../core/web/web-build.ts'

/** The console as it was built. */
export const consoleBuild = (folder: string): WebBuild =>
  new WebBuild(folder, {
    entry: 'console/main.tsx',
    screen: (name) => `console/screens/${name}/${name}.tsx`,
  })
