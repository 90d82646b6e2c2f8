import { render } from 'preact';
import { Gallery } from './gallery.tsx';

const place = document.getElementById('page');
if (place) render(<Gallery />, place);
