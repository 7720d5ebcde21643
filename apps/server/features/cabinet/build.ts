import { firstScreens } from '@sallyport/domain/cabinet/pages'
import type { Language } from '@sallyport/domain/text/language'
import { type BuiltFile, WebBuild } from '../../core/web/web-build.ts'

const worker = 'cabinet/worker.ts'

/** The cabinet as it was built. */
export class CabinetBuild extends WebBuild {
  constructor(folder: string) {
    super(folder, {
      entry: 'cabinet/main.tsx',
      more: 'cabinet/more.ts',
      firstScreens,
      others: [worker],
      screen: (name) => `cabinet/screens/${name}/${name}.tsx`,
    })
  }

  worker(language: Language): BuiltFile {
    return this.file(worker, language)
  }
}
