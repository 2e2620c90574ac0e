#!/bin/sh
echo "Name: Ada" > out.txt
