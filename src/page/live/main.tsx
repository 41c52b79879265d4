/** Entry of the page of a served network. */
import "uplot/dist/uPlot.min.css";
import "../page.css";
import "./live.css";
import { mount } from "../parts.tsx";
import { LiveApp } from "./live-app.tsx";

mount(<LiveApp />);
