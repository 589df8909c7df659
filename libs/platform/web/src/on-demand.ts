// A door for code that no page needs at its start. The bundler loads a whole door with the first page that uses a part.
export { ActivitiesButton } from './activities/activities-button';
export { saveFile, saveUrl } from './data/save-file';
export { UPLOAD_HEADERS, UPLOAD_OPTIONS, uploadResponse, uploadClient } from './http/uploads';
export type { UploadObserver } from './http/uploads';
export { LanguageChoice } from './language/language-choice';
export { bestMatches, searchable, queryTerms } from './palette/ranking';
export type { Searchable } from './palette/ranking';
export { ProgressBar } from './ui/progress/progress-bar';
export { ProgressRing } from './ui/progress/progress-ring';
export { RequestForm } from './ui/request-form/request-form';
export { Segmented } from './ui/segmented/segmented';
export type { Segment } from './ui/segmented/segmented';
