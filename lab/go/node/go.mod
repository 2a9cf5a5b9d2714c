module slinky-stack/lab/node

go 1.26.0
